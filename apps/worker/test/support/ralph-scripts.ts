import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { callsThenDone } from './model-scripts.ts';

/** What the agent of a round reports. */
export const report = (status: 'continue' | 'complete' | 'blocked', more: object = {}) => ({
  status,
  summary: 'worked',
  evidence: status === 'complete' ? ['the tests pass'] : [],
  nextSteps: status === 'continue' ? ['go on'] : [],
  blocker: status === 'blocked' ? 'there is no key' : '',
  ...more,
});

/** An answer that ends a round with a report. */
export const reporting = (...given: Parameters<typeof report>): ScriptAnswer => ({
  toolCalls: [{ name: 'structured_output', arguments: report(...given) }],
});

export const ralph = (objective: string, maxRounds?: number) => ({
  name: 'ralph',
  arguments: { objective, ...(maxRounds !== undefined && { maxRounds }) },
});

/** What the agent of a round was told. */
export interface RoundTask {
  objective: string;
  round: number;
  /** Of the round before, as it stands in the task. */
  previous?: string;
}

/** A model that makes these calls and says `done`; the agents of the loops it begins follow a script. */
export function loopScript(
  calls: NonNullable<ScriptAnswer['toolCalls']>,
  agent: (task: RoundTask, request: RequestView) => ScriptAnswer,
): (request: RequestView) => ScriptAnswer {
  const lead = callsThenDone(...calls);
  return (request) => {
    const [, objective, round] = /^Objective: (".*")\nRound: (\d+)\//m.exec(request.lastUser) ?? [];
    if (objective === undefined) return lead(request);
    const previous = /^Report of the previous round: (.*)$/m.exec(request.lastUser)?.[1];
    const task = { objective: JSON.parse(objective) as string, round: Number(round) };
    return agent({ ...task, ...(previous !== undefined && { previous }) }, request);
  };
}
