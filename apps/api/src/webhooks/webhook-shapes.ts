import { SessionId, WebhookEvent } from '@everturn/core/domain';
import type { Webhook, WebhookDelivery } from '@everturn/core/postgres';
import { z } from 'zod';
import { cursorOf, cursorTime, cursorText } from '../platform/schemas/cursor.ts';
import { wholeNumber } from '../platform/schemas/query-values.ts';

const Address = z
  .url({ protocol: /^https?$/, error: 'use an http(s) URL' })
  .max(2_000)
  .refine((url) => new URL(url).username === '' && new URL(url).password === '', 'leave user and password out')
  .describe(
    'where notifications are posted to; only public addresses are dialled, unless the deployment allows others',
  );
const Events = z.array(WebhookEvent).min(1).describe('what it is told of');

export const CreateWebhook = z.strictObject({
  url: Address,
  events: Events,
  session: SessionId.optional().describe('only of this session; default: of every session of the tenant'),
});
export type CreateWebhook = z.output<typeof CreateWebhook>;

export const ChangeWebhook = z.strictObject({
  url: Address.optional(),
  events: Events.optional(),
  enabled: z.boolean().optional().describe('false: nothing is noted for it, and what waits is given up'),
});
export type ChangeWebhook = z.output<typeof ChangeWebhook>;

export const WebhookPath = z.strictObject({ webhook: z.string().min(1).max(100).describe('the subscription') });
export type WebhookPath = z.output<typeof WebhookPath>;
export const DeliveryPath = WebhookPath.extend({
  delivery: z.string().min(1).max(100).describe('the delivery, as `webhook-id` has it'),
});
export type DeliveryPath = z.output<typeof DeliveryPath>;

export const WebhookView = z.strictObject({
  id: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  session: z.string().optional(),
  enabled: z.boolean(),
  createdAt: z.string(),
});
/** A subscription. */
export type WebhookView = z.output<typeof WebhookView>;
export const CreatedWebhook = WebhookView.extend({
  secret: z.string().describe('signs what is posted; shown this once'),
});
export const WebhookList = z.strictObject({ webhooks: z.array(WebhookView) });

export const DeliveriesQuery = z.strictObject({
  cursor: cursorText.optional(),
  limit: wholeNumber({ min: 1, max: 200 }).optional().describe('most deliveries; default 50'),
});
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;

export const DeliveryView = z.strictObject({
  id: z.string().describe('the same at every try'),
  event: WebhookEvent,
  session: z.string(),
  subject: z.string().describe('a turn, an interaction, a job, or which life of the session closed'),
  state: z.enum(['new', 'started', 'delivered', 'failed']).describe('failed: nobody tries any more'),
  attempts: z.int(),
  lastStatus: z.int().optional().describe('the HTTP status of the last try'),
  lastError: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** One thing told to one subscription. */
export type DeliveryView = z.output<typeof DeliveryView>;
export const DeliveryPage = z.strictObject({ deliveries: z.array(DeliveryView), next: z.string().nullable() });

/** Where a page of deliveries ended. */
export const deliveryCursor = cursorOf(z.strictObject({ at: cursorTime, id: z.string() }));

/** Rows as clients see them. */
export const webhookView = ({ createdAt, ...webhook }: Webhook): WebhookView => ({
  ...webhook,
  createdAt: createdAt.toISOString(),
});
export const deliveryView = ({ round: _round, createdAt, updatedAt, ...delivery }: WebhookDelivery): DeliveryView => ({
  ...delivery,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
