import { allHandlersFinished, condition, continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import { continueAsNewDue } from '@everturn/core/domain';
import type { RalphInput, RalphResult } from '../../contract/index.ts';
import type { LoopState } from './loop-state.ts';

/** A run of the workflow sees no more rounds than this. */
const ROUNDS_PER_RUN = 100;

/** Whether the loop should go on with a fresh history, now that no round runs. */
export function continueDue({ seen }: LoopState): boolean {
  if (seen >= ROUNDS_PER_RUN) return true;
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  const use = { updates: 0, signals: 0, events: historyLength, bytes: historySize, continueAsNewSuggested };
  return continueAsNewDue({ use, task: seen > 0 ? 'later' : 'first', inFlight: 0 });
}

/**
 * Moves a loop to a fresh history; its next run knows the last agent, whose log has the report. Returns if it has been
 * stopped meanwhile, for the next run would not hear of that.
 */
export async function continueLoop(loop: LoopState): Promise<RalphResult | undefined> {
  const { input, writer, rounds, previous, permissions } = loop;
  await writer.flush();
  await condition(allHandlersFinished);
  if (loop.stop.requested && patched('stopped-loop-stays')) return undefined;
  if (!previous) throw new TypeError('a loop goes on after a round, not before the first');
  const next: RalphInput = {
    ...input,
    ...(permissions.now && { permissions: permissions.now }),
    highestAcknowledged: writer.highestAcknowledged,
    carried: { nextEvent: writer.log.state().next, rounds, previous },
  };
  return continueAsNew<(input: RalphInput) => Promise<RalphResult>>(next);
}
