import { setCurrentDetails } from '@temporalio/workflow';
import type { SessionId } from '@everturn/core/domain';
import { sessionWorkflowId } from '@everturn/core/protocol';
import { literal } from '../shared/inert-markdown.ts';
import type { LoopState } from './loop-state.ts';

/** Shows operators which round runs, and whose work it is. */
export function describeLoop({ input }: LoopState, { round, child }: { round: number; child: SessionId }): void {
  const { objective, maxRounds } = input.request;
  setCurrentDetails(
    [
      `**Round ${round}** of at most ${maxRounds}`,
      '',
      `- objective: ${literal(objective.slice(0, 400))}`,
      `- at work: \`${sessionWorkflowId(child)}\``,
    ].join('\n'),
  );
}
