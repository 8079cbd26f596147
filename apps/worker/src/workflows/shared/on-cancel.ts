import { CancellationScope } from '@temporalio/workflow';

/**
 * Turns Temporal's cancellation of this workflow into a call, so that workflow code can run shielded and still end in
 * its own way. To be called in the workflow's root scope.
 */
export function onCancel(): (then: () => void) => void {
  const root = CancellationScope.current();
  return (then) => void root.cancelRequested.catch(() => then());
}
