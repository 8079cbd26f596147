import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SessionId, TenantId, WebhookEvent } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { SecretBox } from './secret-box.ts';

/** Subscriptions of tenants. */
export interface WebhookTable {
  id: string;
  tenant: string;
  session_id: string | null;
  url: string;
  events: WebhookEvent[];
  /** As a `SecretBox` sealed it under the row's id; plain in rows of old. */
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

/** Each thing that happens looks at all subscriptions of its tenant. */
export const MOST_WEBHOOKS = 100;

export interface CreateWebhookInput {
  tenant: TenantId;
  session?: SessionId;
  url: string;
  events: readonly WebhookEvent[];
  /** Hides the secret; needs a key. */
  secrets: SecretBox;
}

/** Makes a subscription. `secret` signs its deliveries and is shown once. `undefined`: its tenant has as many as it may. */
export async function createWebhook(
  database: Database,
  { tenant, session, url, events, secrets }: CreateWebhookInput,
): Promise<(Webhook & { secret: string }) | undefined> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const id = `wh_${randomBytes(12).toString('hex')}`;
  return database.transaction().execute(async (transaction) => {
    // One at a time, or two could both be the last.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks/${tenant}`}, 0))`.execute(transaction);
    const { count } = await transaction
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('tenant', '=', tenant)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MOST_WEBHOOKS) return undefined;
    const row = await transaction
      .insertInto('webhooks')
      .values({
        id,
        tenant,
        url,
        enabled: true,
        session_id: session ?? null,
        events: [...new Set(events)],
        secret: secrets.seal(secret, id),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...toWebhook(row), secret };
  });
}

/** Hides secrets that were stored plain, or under a key that has been changed; answers how many. */
export async function sealWebhookSecrets(database: Database, secrets: SecretBox): Promise<number> {
  if (!secrets.canSeal) return 0;
  let sealed = 0;
  for (const { id, secret } of await database.selectFrom('webhooks').select(['id', 'secret']).execute()) {
    const plain = secrets.isCurrent(secret) ? undefined : secrets.open(secret, id);
    if (plain === undefined) continue;
    const anew = { secret: secrets.seal(plain, id) };
    await database.updateTable('webhooks').set(anew).where('id', '=', id).where('secret', '=', secret).execute();
    sealed += 1;
  }
  return sealed;
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
