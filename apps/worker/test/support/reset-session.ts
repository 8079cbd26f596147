import { randomUUID } from 'node:crypto';
import { waitFor } from '@everturn/core/testing';
import type { Stack } from './stack.ts';

/** Resets a session's workflow to its first task, as people do in the Temporal UI, and waits until the session has noticed. */
export async function resetSession(stack: Stack, session: string): Promise<void> {
  const workflowId = `session:${session}`;
  const { events } = await stack.client.workflow.getHandle(workflowId).fetchHistory();
  const firstTask = events?.find(({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes);
  await stack.client.workflowService.resetWorkflowExecution({
    namespace: stack.temporal.namespace,
    workflowExecution: { workflowId },
    reason: 'test',
    workflowTaskFinishEventId: firstTask?.eventId ?? null,
    requestId: randomUUID(),
  });
  const noticed = async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === 'broken';
  await waitFor(noticed, { what: `${session} to notice`, timeoutMs: 30_000 });
}
