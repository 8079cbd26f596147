import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SessionId, TenantId, WebhookEvent } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** Subscriptions of tenants. */
export interface WebhookTable {
  id: string;
  tenant: string;
  session_id: string | null;
  url: string;
  events: WebhookEvent[];
  secret: string;
  enabled: boolean;
  created_at: ClockColumn;
  updated_at: ClockColumn;
}

/** A subscription as its owner sees it. */
export interface Webhook {
  id: string;
  /** Absent: every session of the tenant. */
  session?: SessionId;
  url: string;
  events: WebhookEvent[];
  enabled: boolean;
  createdAt: Date;
}

export interface WebhookKey {
  tenant: TenantId;
  webhook: string;
}

/** Makes a subscription. `secret` signs its deliveries and is shown once. */
export async function createWebhook(
  database: Database,
  input: { tenant: TenantId; session?: SessionId; url: string; events: readonly WebhookEvent[] },
): Promise<Webhook & { secret: string }> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const row = await database
    .insertInto('webhooks')
    .values({
      id: `wh_${randomBytes(12).toString('hex')}`,
      tenant: input.tenant,
      session_id: input.session ?? null,
      url: input.url,
      events: [...new Set(input.events)],
      secret,
      enabled: true,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...toWebhook(row), secret };
}

/** The subscriptions of a tenant, oldest first. */
export async function listWebhooks(database: Database, { tenant }: { tenant: TenantId }): Promise<Webhook[]> {
  const query = database.selectFrom('webhooks').selectAll().where('tenant', '=', tenant);
  return (await query.orderBy('created_at').orderBy('id').execute()).map(toWebhook);
}

/** One subscription, or `undefined`. */
export async function readWebhook(database: Database, { tenant, webhook }: WebhookKey): Promise<Webhook | undefined> {
  const query = database.selectFrom('webhooks').selectAll().where('tenant', '=', tenant).where('id', '=', webhook);
  const row = await query.executeTakeFirst();
  return row && toWebhook(row);
}

/** Changes a subscription; answers how it is then, or `undefined` where there is none. */
export async function changeWebhook(
  database: Database,
  { tenant, webhook }: WebhookKey,
  change: { url?: string; events?: readonly WebhookEvent[]; enabled?: boolean },
): Promise<Webhook | undefined> {
  const row = await database
    .updateTable('webhooks')
    .set({
      ...(change.url !== undefined && { url: change.url }),
      ...(change.events && { events: [...new Set(change.events)] }),
      ...(change.enabled !== undefined && { enabled: change.enabled }),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('tenant', '=', tenant)
    .where('id', '=', webhook)
    .returningAll()
    .executeTakeFirst();
  return row && toWebhook(row);
}

/** Ends a subscription; what was not delivered is not delivered any more. Answers whether there was one. */
export async function deleteWebhook(database: Database, { tenant, webhook }: WebhookKey): Promise<boolean> {
  const query = database.deleteFrom('webhooks').where('tenant', '=', tenant).where('id', '=', webhook);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

function toWebhook(row: Omit<WebhookTable, 'created_at' | 'updated_at'> & { created_at: Date }): Webhook {
  const { id, session_id: session, url, events, enabled, created_at: createdAt } = row;
  return { id, ...(session !== null && { session: session as SessionId }), url, events, enabled, createdAt };
}
