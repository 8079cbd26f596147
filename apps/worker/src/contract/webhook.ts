import type { ActivityOptions } from '@temporalio/common';
import type { TenantId } from '@everturn/core/domain';
import type { WebhookRetry } from '@everturn/core/protocol';
import { HEARTBEAT_TIMEOUT_MS } from './timeouts.ts';

export interface DeliveryRef {
  tenant: TenantId;
  delivery: string;
}

export interface WebhookActivities {
  /** Tells a subscription once more, unless it was told; fails where it does not take it. */
  deliverWebhook(input: DeliveryRef): Promise<void>;
  /** Records that nobody tries any more. */
  giveWebhookUp(input: DeliveryRef): Promise<void>;
}

/** One try takes a minute at the most; Temporal makes the next, as long as the deployment wants. */
export function webhookOptions({ firstMs, mostMs, forMs }: WebhookRetry): ActivityOptions {
  return {
    startToCloseTimeout: 60_000,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    scheduleToCloseTimeout: forMs,
    retry: { initialInterval: firstMs, backoffCoefficient: 2, maximumInterval: mostMs },
  };
}
