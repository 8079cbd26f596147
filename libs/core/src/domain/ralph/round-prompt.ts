import type { RalphReport } from './ralph-report.ts';

export interface RoundPromptInput {
  objective: string;
  round: number;
  maxRounds: number;
  /** Of the round before. */
  previous?: RalphReport | undefined;
}

/** The whole task of one round; its agent knows nothing else of the loop. */
export function roundPrompt({ objective, round, maxRounds, previous }: RoundPromptInput): string {
  return [
    '<ralph_round>',
    `Objective: ${JSON.stringify(objective)}`,
    `Round: ${round}/${maxRounds}`,
    previous ? `Report of the previous round: ${JSON.stringify(previous)}` : 'No round was before this one.',
    'You work on the objective as one of several agents, one after another, who share the workspace and nothing else: what is not in the workspace or in your report is lost to the next one.',
    'Look at the workspace first and trust it more than the report. Do the most useful next piece of work, check it, and leave the workspace so that another can go on. Do not change the objective.',
    'End with your report. Say `complete` only with evidence, checked in this round, that all of the objective is reached; say `blocked` only if no other agent could go on either; otherwise say `continue` and what comes next.',
    '</ralph_round>',
  ].join('\n');
}

/** What people see of a round. */
export const roundLabel = (round: number): string => `Ralph round ${round}`;
