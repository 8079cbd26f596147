import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import type { WebhookInput } from '@everturn/core/protocol';
import { deliverWebhook, giveWebhookUp } from './proxies.ts';

/** Tells one subscription of one thing, again and again until it is taken or too old. */
export async function webhookWorkflow({ tenant, delivery, retry }: WebhookInput): Promise<void> {
  try {
    await deliverWebhook({ tenant, delivery }, retry);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    await giveWebhookUp({ tenant, delivery });
  }
}
