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
  const { workflowId: firing } = workflowInfo();
  if (!patched('firing-child')) return runFiring({ ...input, firing }, { stopped: () => false });
  return executeChild<(input: FiringInput) => Promise<ScheduledRunResult>>(FIRING_WORKFLOW, {
    workflowId: `${firing}/firing`,
    args: [{ ...input, firing }],
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
  });
}
