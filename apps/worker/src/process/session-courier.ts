import { isGrpcServiceError, WorkflowNotFoundError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { sessionWorkflowId } from '@everturn/core/protocol';
import type { Courier, Handed } from '../activities/index.ts';

const NOT_FOUND = 5;
/** A run that takes no more updates: its server says one or the other. */
const EXHAUSTED = new Set([8, 9]);
const TIMEOUT_MS = 10_000;
/** Whoever ends otherwise says so to its owner first. */
const FROM_OUTSIDE = new Set<string>(['TERMINATED', 'FAILED', 'TIMED_OUT', 'CANCELLED']);

/** Brings messages to sessions as updates, which answer, and as signals where a run takes no more of them. */
export function sessionCourier(client: Client): Courier {
  return {
    async endedFromOutside(session) {
      try {
        const { runId, status } = await client.workflow.getHandle(sessionWorkflowId(session)).describe();
        return FROM_OUTSIDE.has(status.name) ? { runId, status: status.name } : undefined;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { runId: 'gone', status: 'NOT_FOUND' };
        throw error;
      }
    },
    async submit(session, prompt) {
      const handle = client.workflow.getHandle(sessionWorkflowId(session));
      try {
        await client.connection.withDeadline(Date.now() + TIMEOUT_MS, () =>
          handle.executeUpdate('submitPrompt', { args: [prompt], updateId: prompt.requestId }),
        );
        return { kind: 'taken' };
      } catch (error) {
        const answer = answerIn(error);
        if (answer !== 'exhausted') return answer;
        await handle.signal('submitPrompt', prompt);
        return { kind: 'taken' };
      }
    },
  };
}

/** What an error says of the session; one that says nothing of it is thrown again. */
function answerIn(error: unknown): Handed | 'exhausted' {
  if (error instanceof WorkflowNotFoundError) return { kind: 'gone' };
  if (error instanceof WorkflowUpdateFailedError) {
    const { cause } = error;
    if (!(cause instanceof ApplicationFailure)) throw error;
    // The server's own word for an update that was accepted by a workflow which then ended.
    if (cause.type === 'AcceptedUpdateCompletedWorkflow') return { kind: 'gone' };
    return { kind: 'refused', code: cause.type ?? 'INTERNAL', message: cause.message };
  }
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!isGrpcServiceError(at)) continue;
    const code: number = at.code;
    if (code === NOT_FOUND && !/namespace/i.test(at.message)) return { kind: 'gone' };
    if (EXHAUSTED.has(code)) return 'exhausted';
  }
  throw error;
}
