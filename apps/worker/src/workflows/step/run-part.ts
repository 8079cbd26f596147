import {
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
  Trigger,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import { WORKFLOW_TASK_TIMEOUT_MS } from '@everturn/core/protocol';
import { sendTo } from '../shared/permission-cell.ts';
import { identityAttributes } from '../shared/search-attributes.ts';
import type { ChildEnd } from '../shared/stop.ts';
import type { CallRun } from './call-run.ts';
import { summaryOf } from './call-summary.ts';
import type { StepState } from './step-state.ts';

/** The workflow that does the work of one call. */
export interface Part<I> {
  type: string;
  workflowId: string;
  input: I;
}

/** Runs it to its end; it hears of changed permissions, and a stop of the step reaches it. */
export async function runPart<I, R>(step: StepState, { call }: CallRun, part: Part<I>): Promise<ChildEnd<R>> {
  const { type, workflowId, input } = part;
  const started = new Trigger<ChildWorkflowHandle<(input: I) => Promise<R>>>();
  const tell = sendTo(started);
  const listening = (step.permissions.programs ??= new Set());
  listening.add(tell);
  const result = await step.stop.child(async () => {
    const handle = await startChild<(input: I) => Promise<R>>(type, {
      workflowId,
      args: [input],
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      ...identityAttributes(step.input.searchAttributes, step.input),
      staticSummary: summaryOf(call),
    });
    started.resolve(handle);
    return handle.result();
  });
  listening.delete(tell);
  return result;
}
