import {
  ChildWorkflowCancellationType,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import { errorChain, type DelegationMode, type SessionId } from '@everturn/core/domain';
import {
  SESSION_WORKFLOW,
  sessionWorkflowId,
  WORKFLOW_TASK_TIMEOUT_MS,
  type SessionInput,
} from '@everturn/core/protocol';
import type { SessionRef } from '../../contract/index.ts';
import { childAttributes } from '../shared/search-attributes.ts';
import type { Stop } from '../shared/stop.ts';

export interface RunChildInput {
  child: SessionId;
  mode: DelegationMode;
  preview: string;
  searchAttributes: boolean;
}

/** What a child is run by: a step, or a loop of one. */
export interface ChildParent {
  readonly stop: Stop;
  readonly input: Pick<SessionRef, 'session' | 'tenant'>;
}

/** Runs a prepared child as a session of its own, until it has closed; a stop of its parent ends it first. */
export async function runChild(
  parent: ChildParent,
  input: RunChildInput,
): Promise<{ cancelled: boolean; failure?: string }> {
  const result = await parent.stop.child(() => executeChild(SESSION_WORKFLOW, childOptions(parent.input, input)));
  const cancelled = parent.stop.requested;
  if (result.kind === 'returned') return { cancelled };
  if (isCancellation(result.error)) return { cancelled: true };
  return { cancelled, failure: errorChain(result.error) };
}

/** How the workflow of a child is started. */
export function childOptions(
  { session: parent, tenant }: Pick<SessionRef, 'session' | 'tenant'>,
  { child, mode, preview, searchAttributes }: RunChildInput,
) {
  const start: SessionInput = {
    session: child,
    tenant,
    queues: workflowInfo().taskQueue,
    intent: 'open',
    owner: { session: parent, mode },
  };
  return {
    workflowId: sessionWorkflowId(child),
    args: [start] as [SessionInput],
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
    staticSummary: preview,
    ...childAttributes(searchAttributes, { session: child, tenant, parent }),
  };
}
