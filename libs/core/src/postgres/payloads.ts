import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { ClockColumn, DerivedColumn } from './columns.ts';
import type { Database } from './database.ts';
import { PostgresError } from './errors.ts';

const A_DAY_MS = 24 * 3_600_000;

/** What the last guard kept out of Temporal. */
export interface PayloadTable {
  tenant: string;
  session_id: string;
  id: string;
  metadata: DerivedColumn<Record<string, string>>;
  data: Buffer;
  created_at: ClockColumn;
}

/** A payload as Temporal's SDK has it. */
interface Payload {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}

/** Keeps payloads of sessions (`undefined` = of a workflow that is no session's) and gives them back by their address. */
export function payloadStore(database: Database) {
  return {
    /** Stores it once, however often it is asked to; durable when it resolves. */
    async put(session: string | undefined, { metadata, data }: Payload): Promise<Record<string, string>> {
      const bytes = Buffer.from(data ?? []);
      const about = Object.entries(metadata ?? {}).map(([name, value]) => [
        name,
        Buffer.from(value).toString('base64'),
      ]);
      const id = createHmac('sha256', `everturn payload ${session}`).update(JSON.stringify(about)).update(bytes);
      const address = { session: session ?? '', id: id.digest('hex') };
      const { rows } = await sql<{ tenant: string }>`
        with owner as (
          select coalesce((select tenant from sessions where id = ${address.session}), '') as tenant
        ), stored as (
          insert into payloads (tenant, session_id, id, metadata, data)
          select tenant, ${address.session}, ${address.id}, ${JSON.stringify(Object.fromEntries(about))}::jsonb, ${bytes}
          from owner
          on conflict do nothing
        )
        select tenant from owner`.execute(database);
      return { tenant: rows[0]?.tenant ?? '', ...address };
    },

    /** What was stored; throws where nothing is. */
    async get({ tenant = '', session = '', id = '' }: Record<string, string>): Promise<Required<Payload>> {
      const row = await database
        .selectFrom('payloads')
        .select(['metadata', 'data'])
        .where('tenant', '=', tenant)
        .where('session_id', '=', session)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) throw new PostgresError('POSTGRES_PAYLOAD_MISSING', missing(id, session));
      const about = Object.entries(row.metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const);
      return { metadata: Object.fromEntries(about), data: row.data };
    },
  };
}

const missing = (id: string, session: string) =>
  `payload ${id} of session ${session} is not in table payloads: restore it from a backup, as of the log`;

/** Deletes what no history within the retention can refer to; answers how many. */
export async function collectPayloads(
  database: Database,
  { retentionMs, limit }: { retentionMs: number; limit: number },
): Promise<number> {
  const expiry = sql<Date>`clock_timestamp() - ${retentionMs + A_DAY_MS} * interval '1 millisecond'`;
  const { numAffectedRows = 0n } = await sql`
    delete from payloads where ctid in (
      select ctid from payloads
      where created_at < ${expiry} and not exists (
        select from sessions
        where sessions.tenant = payloads.tenant and sessions.id = payloads.session_id
          and (sessions.status <> 'closed' or sessions.updated_at >= ${expiry})
      )
      limit ${limit}
    )`.execute(database);
  return Number(numAffectedRows);
}
