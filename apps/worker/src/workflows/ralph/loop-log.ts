import { roundLabel, type SessionId } from '@everturn/core/domain';
import type { EndRoundResult, ToolOutcome } from '../../contract/index.ts';
import type { LoopState } from './loop-state.ts';

/** What readers of the log know such a run by. */
const NAME = 'ralph-loop';
const PHASE = 'rounds';

const runId = ({ input }: LoopState): string => `t${input.turn}.s${input.step}.c${input.place}`;

/** The first event of a loop. */
export function beginLog(loop: LoopState): void {
  if (loop.input.logged) loop.writer.append('tool-workflow/run-start', { runId: runId(loop), name: NAME });
}

/** An agent begins its round. */
export function agentStarted(loop: LoopState, round: number, childId: SessionId): void {
  if (!loop.input.logged) return;
  const event = { runId: runId(loop), seq: round, label: roundLabel(round), phase: PHASE, childId };
  loop.writer.append('tool-workflow/agent-start', event);
}

/** The agent of a round has ended. */
export function agentEnded(loop: LoopState, round: number, outcome: EndRoundResult['agent']): void {
  if (loop.input.logged) loop.writer.append('tool-workflow/agent-end', { runId: runId(loop), seq: round, outcome });
}

/** The last event of a loop, after the end of every agent. */
export function endLog(loop: LoopState, { isError, error }: Pick<ToolOutcome, 'isError' | 'error'>): void {
  if (!loop.input.logged) return;
  const failed = error?.code === 'RALPH_CANCELLED' ? 'cancelled' : 'error';
  loop.writer.append('tool-workflow/run-end', { runId: runId(loop), stopReason: isError ? failed : 'completed' });
}
