import { sql } from 'kysely';
import type { SessionId, TenantId, WebhookEvent } from '../domain/index.ts';
import { storableText, type ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { WebhookKey } from './webhooks.ts';

/** What subscriptions are told; rows are made by triggers of what they tell of. */
export interface WebhookDeliveryTable {
  id: string;
  tenant: string;
  webhook_id: string;
  session_id: string;
  event: WebhookEvent;
  subject: string;
  state: 'new' | 'started' | 'delivered' | 'failed';
  round: number;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  created_at: ClockColumn;
  updated_at: ClockColumn;
}

/** One thing told to one subscription. */
export interface WebhookDelivery {
  id: string;
  session: SessionId;
  event: WebhookEvent;
  /** A turn's number, the id of an interaction or a job, a session's generation. */
  subject: string;
  state: WebhookDeliveryTable['state'];
  round: number;
  attempts: number;
  lastStatus?: number;
  lastError?: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface DeliveryKey {
  tenant: TenantId;
  delivery: string;
}

/** Deliveries of a subscription, newest first; `before` is the last one of the page before. */
export async function listDeliveries(
  database: Database,
  input: WebhookKey & { before?: { at: number; id: string } | undefined; limit: number },
): Promise<WebhookDelivery[]> {
  const { before } = input;
  let query = database
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant', '=', input.tenant)
    .where('webhook_id', '=', input.webhook);
  if (before)
    query = query.where(({ eb, or, and }) => {
      const at = new Date(before.at);
      return or([eb('created_at', '<', at), and([eb('created_at', '=', at), eb('id', '>', before.id)])]);
    });
  const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(input.limit).execute();
  return rows.map(toDelivery);
}

/** A delivery with where it goes, or `undefined` once its subscription is gone or switched off. */
export async function readDelivery(
  database: Database,
  { tenant, delivery }: DeliveryKey,
): Promise<{ delivery: WebhookDelivery; webhook: string; url: string; secret: string } | undefined> {
  const row = await database
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .selectAll('webhook_deliveries')
    .select(['webhooks.url', 'webhooks.secret'])
    .where('webhook_deliveries.tenant', '=', tenant)
    .where('webhooks.tenant', '=', tenant)
    .where('webhook_deliveries.id', '=', delivery)
    .where('webhooks.enabled', '=', true)
    .executeTakeFirst();
  return row && { delivery: toDelivery(row), webhook: row.webhook_id, url: row.url, secret: row.secret };
}

/** Deliveries that no workflow has taken up, oldest first. */
export async function listNewDeliveries(
  database: Database,
  { limit }: { limit: number },
): Promise<(DeliveryKey & { round: number })[]> {
  const rows = await database
    .selectFrom('webhook_deliveries')
    .select(['id', 'tenant', 'round'])
    .where('state', '=', 'new')
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id, tenant, round }) => ({ delivery: id, tenant: tenant as TenantId, round }));
}

/** A workflow delivers it now. */
export async function markStarted(database: Database, { tenant, delivery, round }: DeliveryKey & { round: number }) {
  await change(database, { tenant, delivery }, { state: 'started' })
    .where('state', '=', 'new')
    .where('round', '=', round)
    .execute();
}

/** Keeps what an attempt brought. */
export async function recordAttempt(
  database: Database,
  key: DeliveryKey,
  { state, status, error }: { state: 'started' | 'delivered'; status?: number; error?: string },
): Promise<void> {
  await change(database, key, {
    state,
    last_status: status ?? null,
    last_error: error === undefined ? null : storableText(error).slice(0, 1_000),
  })
    .set({ attempts: sql<number>`attempts + 1` })
    .execute();
}

/** Nobody tries any more. */
export async function markFailed(database: Database, key: DeliveryKey, error?: string): Promise<void> {
  await change(database, key, { state: 'failed', ...(error !== undefined && { last_error: error }) })
    .where('state', '<>', 'delivered')
    .execute();
}

/** Has it delivered once more; answers `undefined` where there is none, and leaves one alone that is on its way. */
export async function redeliver(
  database: Database,
  { tenant, webhook, delivery }: WebhookKey & DeliveryKey,
): Promise<WebhookDelivery | undefined> {
  const of = { tenant, delivery };
  await change(database, of, { state: 'new' })
    .set({ round: sql<number>`round + 1` })
    .where('webhook_id', '=', webhook)
    .where('state', 'in', ['delivered', 'failed'])
    .execute();
  const row = await database
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('webhook_id', '=', webhook)
    .where('id', '=', delivery)
    .executeTakeFirst();
  return row && toDelivery(row);
}

/** Forgets deliveries older than 30 days that are over; answers how many. */
export async function expireDeliveries(database: Database): Promise<number> {
  const result = await database
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<', sql<Date>`clock_timestamp() - interval '30 days'`)
    .where('state', 'in', ['delivered', 'failed'])
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

type Change = Partial<Pick<WebhookDeliveryTable, 'state' | 'last_status' | 'last_error'>>;

function change(database: Database, { tenant, delivery }: DeliveryKey, set: Change) {
  return database
    .updateTable('webhook_deliveries')
    .set({ ...set, updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant', '=', tenant)
    .where('id', '=', delivery);
}

type Row = Omit<WebhookDeliveryTable, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };

function toDelivery(row: Row): WebhookDelivery {
  return {
    id: row.id,
    session: row.session_id as SessionId,
    event: row.event,
    subject: row.subject,
    state: row.state,
    round: row.round,
    attempts: row.attempts,
    ...(row.last_status !== null && { lastStatus: row.last_status }),
    ...(row.last_error !== null && { lastError: row.last_error }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
