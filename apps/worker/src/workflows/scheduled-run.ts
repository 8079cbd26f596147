import {
  ChildWorkflowCancellationType,
  executeChild,
  ParentClosePolicy,
  patched,
  workflowInfo,
} from '@temporalio/workflow';
import {
  FIRING_WORKFLOW,
  WORKFLOW_TASK_TIMEOUT_MS,
  type FiringInput,
  type ScheduledRunInput,
  type ScheduledRunResult,
} from '@everturn/core/protocol';
import { runFiring } from './firing/run-firing.ts';

/**
 * One firing of an operator's schedule, which overlap is about: it lasts as long as its turn. What it does is a child's
 * work, because a firing that is terminated to make room for the next can do nothing more, but its child is told.
 */
export async function scheduledRunWorkflow(input: ScheduledRunInput): Promise<ScheduledRunResult> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  if (!patched('firing-child')) return runFiring({ ...input, firing: workflowId }, { stopped: () => false });
  // Temporal names firings by the second: two of one second are told apart by their runs.
  const byRun = patched('firing-by-run');
  const firing = byRun ? `${workflowId}/${firstExecutionRunId}` : workflowId;
  return executeChild<(input: FiringInput) => Promise<ScheduledRunResult>>(FIRING_WORKFLOW, {
    workflowId: byRun ? firing : `${workflowId}/firing`,
    args: [{ ...input, firing }],
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
  });
}
