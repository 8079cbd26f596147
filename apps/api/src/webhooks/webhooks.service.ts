import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import type { TenantId } from '@everturn/core/domain';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  MOST_WEBHOOKS,
  readWebhook,
  redeliver,
  SecretBox,
  type Database,
  type WebhookKey,
} from '@everturn/core/postgres';
import type { z } from 'zod';
import { ApiError } from '../platform/errors/api-error.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import {
  deliveryCursor,
  deliveryView,
  webhookView,
  type ChangeWebhook,
  type CreatedWebhook,
  type CreateWebhook,
  type DeliveriesQuery,
  type DeliveryPage,
  type DeliveryView,
  type WebhookView,
} from './webhook-shapes.ts';

const PAGE = 50;
const NO_KEY =
  'this deployment can keep no secret: set EVERTURN_SECRETS_KEY to 32 random bytes in base64 for its workers and its API';

/** Subscriptions to what happens, and what became of what they were told. */
@Injectable()
export class WebhooksService {
  private readonly secrets: SecretBox;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(CONFIG) { secretsKeys }: ApiConfig,
  ) {
    this.secrets = new SecretBox(secretsKeys.map((key) => key.reveal()));
  }

  async create(tenant: TenantId, { session, ...body }: CreateWebhook): Promise<z.output<typeof CreatedWebhook>> {
    if (session !== undefined) await this.access.find({ tenant, session });
    const { secrets } = this;
    if (!secrets.canSeal) throw new ApiError({ code: 'SECRETS_KEY_MISSING', message: NO_KEY });
    const input = { tenant, ...body, ...(session && { session }), secrets };
    const { secret, ...webhook } = (await createWebhook(this.database, input)) ?? tooMany();
    return { ...webhookView(webhook), secret };
  }

  async list(tenant: TenantId): Promise<{ webhooks: WebhookView[] }> {
    return { webhooks: (await listWebhooks(this.database, { tenant })).map(webhookView) };
  }

  async find(key: WebhookKey): Promise<WebhookView> {
    return webhookView((await readWebhook(this.database, key)) ?? missing(key));
  }

  async change(key: WebhookKey, { url, events, enabled }: ChangeWebhook): Promise<WebhookView> {
    const change = { ...(url && { url }), ...(events && { events }), ...(enabled !== undefined && { enabled }) };
    return webhookView((await changeWebhook(this.database, key, change)) ?? missing(key));
  }

  async delete(key: WebhookKey): Promise<void> {
    if (!(await deleteWebhook(this.database, key))) missing(key);
  }

  async deliveries(key: WebhookKey, { cursor, limit = PAGE }: DeliveriesQuery): Promise<z.output<typeof DeliveryPage>> {
    await this.find(key);
    const before = cursor === undefined ? undefined : deliveryCursor.read(cursor);
    const found = await listDeliveries(this.database, { ...key, before, limit });
    const last = found.length === limit ? found.at(-1) : undefined;
    const next = last ? deliveryCursor.write({ at: last.createdAt.getTime(), id: last.id }) : null;
    return { deliveries: found.map(deliveryView), next };
  }

  async redeliver(key: WebhookKey & { delivery: string }): Promise<DeliveryView> {
    await this.find(key);
    const found = await redeliver(this.database, key);
    if (found) return deliveryView(found);
    throw new ApiError({
      code: 'DELIVERY_NOT_FOUND',
      message: `webhook "${key.webhook}" has no delivery "${key.delivery}"`,
    });
  }
}

function tooMany(): never {
  throw new ApiError({
    code: 'WEBHOOK_LIMIT',
    message: `a tenant has at most ${MOST_WEBHOOKS} webhooks; delete one that is not needed`,
  });
}

function missing({ webhook }: WebhookKey): never {
  throw new ApiError({ code: 'WEBHOOK_NOT_FOUND', message: `no webhook "${webhook}"` });
}
