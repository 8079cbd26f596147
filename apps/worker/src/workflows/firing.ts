import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import type { FiringInput, ScheduledRunResult } from '@everturn/core/protocol';
import { runFiring } from './firing/run-firing.ts';
import { onCancel } from './shared/on-cancel.ts';

/** Says the prompt of a firing and looks after its turn; a cancel takes the prompt back, wherever it is by then. */
export async function firingWorkflow(input: FiringInput): Promise<ScheduledRunResult> {
  const cancelled = onCancel();
  let stopped = false;
  return CancellationScope.nonCancellable(async () => {
    cancelled(() => (stopped = true));
    const result = await runFiring(input, { stopped: () => stopped });
    if (stopped) throw new CancelledFailure(`the turn of ${result.promptId} was stopped`);
    return result;
  });
}
