import type { TenantId } from '../domain/index.ts';

/** Type of the workflow that delivers one notification. */
export const WEBHOOK_WORKFLOW = 'webhookWorkflow';

/** The workflow that delivers one notification; each time it is asked for anew is a round. */
export const webhookWorkflowId = (delivery: string, round: number): string => `webhook:${delivery}/${round}`;

/** How a delivery that fails is tried again, in ms. */
export interface WebhookRetry {
  /** Before the second try; then twice as long each time. */
  firstMs: number;
  /** The longest wait. */
  mostMs: number;
  /** From the first try on; after that it is given up. */
  forMs: number;
}

export interface WebhookInput {
  tenant: TenantId;
  delivery: string;
  retry: WebhookRetry;
}
