import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import {
  listNewDeliveries,
  markStarted,
  sealWebhookSecrets,
  type Database,
  type SecretBox,
} from '@everturn/core/postgres';
import {
  taskQueues,
  WEBHOOK_WORKFLOW,
  webhookWorkflowId,
  type WebhookInput,
  type WebhookRetry,
} from '@everturn/core/protocol';
import type { Logger } from 'pino';
import { describeFailure } from '../activities/failure.ts';

export interface SendNotificationsInput {
  database: Database;
  client: Client;
  /** Prefix of the task queues. */
  queues: string;
  retry: WebhookRetry;
  log: Logger;
  signal: AbortSignal;
  /** Hides what is stored plain, or under a key that has been changed. */
  secrets: SecretBox;
}

const EVERY_MS = 1_000;
const PER_LOOK = 100;

/**
 * Starts a workflow for each notification that has none. It looks instead of being told, so that nothing is lost with a
 * process; several workers may look at once, because a workflow's id says which notification it delivers.
 */
export async function sendNotifications(input: SendNotificationsInput): Promise<void> {
  const { signal, log } = input;
  let trouble: string | undefined;
  let sealed = false;
  while (!signal.aborted) {
    try {
      if (!sealed) await sealWebhookSecrets(input.database, input.secrets);
      sealed = true;
      const found = await startNew(input);
      trouble = undefined;
      if (found === PER_LOOK) continue;
    } catch (error) {
      const reason = describeFailure(error);
      if (reason !== trouble) log.warn({ reason }, 'notifications wait');
      trouble = reason;
    }
    await pause(EVERY_MS, signal);
  }
}

async function startNew({ database, client, queues, retry, signal }: SendNotificationsInput): Promise<number> {
  const found = await listNewDeliveries(database, { limit: PER_LOOK });
  for (const { tenant, delivery, round } of found) {
    if (signal.aborted) break;
    const input: WebhookInput = { tenant, delivery, retry };
    try {
      await client.workflow.start(WEBHOOK_WORKFLOW, {
        workflowId: webhookWorkflowId(delivery, round),
        taskQueue: taskQueues(queues).main,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      });
    } catch (error) {
      // Somebody started it and could not say so, or another worker was faster.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    await markStarted(database, { tenant, delivery, round });
  }
  return found.length;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
