import { sql } from 'kysely';
import type { SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';
import type { EventRow } from './session-events.ts';

/**
 * A place in the order of all of a tenant's events: the transaction that wrote a row, then session, then seq.
 * It keeps its meaning for as long as the database does; a dump restored into another server begins a new order.
 */
export interface FeedPosition {
  xact: string;
  session: SessionId | '';
  seq: number;
}

export interface ReadFeedInput {
  tenant: TenantId;
  after: FeedPosition;
  types?: readonly string[];
  limit: number;
}

export interface FeedRow extends EventRow {
  session_id: SessionId;
  xact: string;
}

/** A page of the feed; `waiting` says that rows exist which an open transaction still holds back. */
export interface FeedPage {
  rows: FeedRow[];
  waiting: boolean;
}

/**
 * Events of all sessions of a tenant but `assistant/chunk`, only those that no later commit can come before.
 * Rows that a restored dump brought along, with numbers of another server, are not part of it.
 */
export async function readFeed(database: Database, { tenant, after, types, limit }: ReadFeedInput): Promise<FeedPage> {
  const wanted = types ? sql`and type = any (${types})` : sql``;
  const beyond = sql`
    tenant = ${tenant} and type <> 'assistant/chunk'
    and (xact, session_id, seq) > (${after.xact}::xid8, ${after.session}, ${after.seq})
    and xact < pg_snapshot_xmax(pg_current_snapshot())`;
  const { rows } = await sql<FeedRow & { final: boolean }>`
    select session_id, xact::text as xact, seq, type, time, data, surface_op, replace_start, replace_end, source_ranges,
      xact < pg_snapshot_xmin(pg_current_snapshot()) as final
    from session_events
    where ${beyond} ${wanted}
    order by xact, session_id, seq
    limit ${limit}
  `.execute(database);
  const open = rows.findIndex(({ final }) => !final);
  const finals = open === -1 ? rows : rows.slice(0, open);
  return { rows: finals.map(({ final: _, ...row }) => row), waiting: open !== -1 };
}

/**
 * The place after everything of a tenant that is final now: where a follower begins who wants no history. It is that of
 * a row, because the number of a transaction that wrote nothing is given out again after a crash of the server.
 */
export async function feedEnd(database: Database, tenant: TenantId): Promise<FeedPosition> {
  const { rows } = await sql<{ xact: string; session: SessionId; seq: number }>`
    select xact::text as xact, session_id as session, seq from session_events
    where tenant = ${tenant} and type <> 'assistant/chunk' and xact < pg_snapshot_xmin(pg_current_snapshot())
    order by xact desc, session_id desc, seq desc
    limit 1
  `.execute(database);
  return rows[0] ?? FEED_START;
}

/** The place before everything. */
export const FEED_START: FeedPosition = { xact: '0', session: '', seq: -1 };
