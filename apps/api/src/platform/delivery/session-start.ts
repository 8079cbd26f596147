import type { SessionId, TenantId } from '@everturn/core/domain';
import { sessionWorkflowId, taskQueues, type SessionInput } from '@everturn/core/protocol';
import type { WorkflowIdReusePolicy } from '@temporalio/client';

/** Which lives of a session a request may begin. */
export type StartIntent =
  /** The first life; refused when there was one before. */
  | 'create'
  /** Whatever life the session is in, or a new one when its workflow is gone. */
  | 'open'
  /** A new life for a closed or broken session. */
  | 'resume';

interface StartInput {
  session: SessionId;
  tenant: TenantId;
  /** Prefix of the task queues. */
  queues: string;
  intent: StartIntent;
  /** First words of the message that starts it, for the Temporal UI. */
  summary?: string;
}

/** How a session's workflow is started, by whichever request comes first. */
export function sessionStart({ session, tenant, queues, intent, summary }: StartInput) {
  const input: SessionInput = { session, tenant, queues, intent: intent === 'resume' ? 'resume' : 'open' };
  const workflowIdReusePolicy: WorkflowIdReusePolicy = intent === 'create' ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE';
  return {
    workflowId: sessionWorkflowId(session),
    taskQueue: taskQueues(queues).main,
    args: [input] as [SessionInput],
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    workflowIdReusePolicy,
    // A lost worker is noticed this soon; sessions themselves have no timeout.
    workflowTaskTimeout: '5s' as const,
    ...(summary && { staticSummary: summary }),
  };
}
