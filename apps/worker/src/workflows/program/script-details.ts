import { setCurrentDetails } from '@temporalio/workflow';
import { literal } from '../shared/inert-markdown.ts';
import type { ProgramState } from './program-state.ts';

/** Shows operators how far a script and its agents are. */
export function describeScript(program: ProgramState): void {
  setCurrentDetails(scriptDetails(program));
}

type Described = Pick<ProgramState, 'input' | 'agents' | 'ended' | 'phase' | 'lastLine'>;

/** The same as text. */
export function scriptDetails({ input, agents, ended, phase, lastLine }: Described): string {
  const { completed, failed, cancelled } = ended;
  const lines = [...agents.values()].map(({ seq, label, childId }) => `- ${seq}. ${literal(label)}: \`${childId}\``);
  return [
    `**Script ${literal(input.script?.name ?? '')}**${phase === undefined ? '' : `, phase ${literal(phase)}`}`,
    '',
    `- agents: ${agents.size} at work, ${completed} completed, ${failed} failed, ${cancelled} cancelled`,
    ...(lastLine === undefined ? [] : [`- it says: ${literal(lastLine)}`]),
    ...(lines.length > 0 ? ['', ...lines] : []),
  ].join('\n');
}
