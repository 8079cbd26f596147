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
  /** A page ends with the row that reaches this many bytes of data; default 1 MiB. */
  maxBytes?: number;
}

export interface FeedRow extends EventRow {
  session_id: SessionId;
  xact: string;
}

/** A page of the feed; what is beyond it may be read at once, or is still held back by an open transaction. */
export interface FeedPage {
  rows: FeedRow[];
  rest: 'none' | 'maybe' | 'waiting';
}

interface MeasuredRow extends FeedRow {
  final: boolean;
  bytes: number;
  bytes_before: number;
}

/**
 * Events of all sessions of a tenant but `assistant/chunk`, only those that no later commit can come before.
 * Rows that a restored dump brought along, with numbers of another server, are not part of it.
 */
export async function readFeed(database: Database, input: ReadFeedInput): Promise<FeedPage> {
  const { tenant, after, types, limit, maxBytes = 1024 * 1024 } = input;
  const wanted = types ? sql`and type = any (${types})` : sql``;
  const beyond = sql`
    tenant = ${tenant} and type <> 'assistant/chunk'
    and (xact, session_id, seq) > (${after.xact}::xid8, ${after.session}, ${after.seq})
    and xact < pg_snapshot_xmax(pg_current_snapshot())`;
  const order = sql`order by xact, session_id, seq`;
  // Lengths are known without reading large values, so only what the page holds is read: nothing of what is held back,
  // which is asked for again and again.
  const { rows } = await sql<MeasuredRow>`
    select session_id, xact::text as xact, seq, type, time, case when final then data else '' end as data,
      surface_op, replace_start, replace_end, source_ranges, final, bytes::int as bytes, bytes_before::int8 as bytes_before
    from (
      select *, sum(bytes) over (${order}) - bytes as bytes_before
      from (
        select session_id, xact, seq, type, time, data, surface_op, replace_start, replace_end, source_ranges,
          xact < pg_snapshot_xmin(pg_current_snapshot()) as final, octet_length(data) as bytes
        from session_events
        where ${beyond} ${wanted}
        ${order}
        limit ${limit + 1}
      ) as page
    ) as measured
    where bytes_before < ${maxBytes}
    ${order}
  `.execute(database);
  const open = rows.findIndex(({ final }) => !final);
  const finals = (open === -1 ? rows : rows.slice(0, open)).slice(0, limit);
  const last = rows.at(-1);
  const cut = rows.length > limit || (last && last.bytes_before + last.bytes >= maxBytes);
  const rest = open !== -1 ? 'waiting' : cut ? 'maybe' : 'none';
  return { rows: finals.map(({ final: _f, bytes: _b, bytes_before: _bb, ...row }) => row), rest };
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
