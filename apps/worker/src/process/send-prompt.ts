import type { Client } from '@temporalio/client';
import {
  SESSION_WORKFLOW,
  sessionWorkflowId,
  taskQueues,
  WORKFLOW_TASK_TIMEOUT_MS,
  type SessionInput,
} from '@everturn/core/protocol';
import type { SendPrompt } from '../activities/index.ts';

/** Sends messages as signals, which need nobody's answer; a session takes the same request once. */
export function sendPromptBy(client: Client, queues: string): SendPrompt {
  return async ({ tenant, session }, message) => {
    const input: SessionInput = { session, tenant, queues, intent: 'open' };
    await client.workflow.signalWithStart(SESSION_WORKFLOW, {
      workflowId: sessionWorkflowId(session),
      taskQueue: taskQueues(queues).main,
      args: [input],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      staticSummary: message.preview,
      signal: 'submitPrompt',
      signalArgs: [message],
    });
  };
}
