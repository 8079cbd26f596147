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
  /** Most rows of any type that are looked through for those of `types`; default 2,000. */
  scanRows?: number;
}

export interface FeedRow extends EventRow {
  session_id: SessionId;
  xact: string;
}

/** A page of the feed; what is beyond it may be read at once, or is still held back by an open transaction. */
export interface FeedPage {
  rows: FeedRow[];
  /** The place after everything that was looked at and is final, wanted or not: where to go on. */
  through: FeedPosition;
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
  if (!input.types) return readPage(database, input);
  const { after } = input;
  const { wanted, through = after, rest } = await scan(database, input);
  if (!wanted) return { rows: [], through, rest };
  // What is final stays so, and nothing comes before it any more: the second look sees what the first has seen.
  const page = await readPage(database, { ...input, through });
  return page.rest === 'none' ? { ...page, through, rest } : page;
}

async function readPage(database: Database, input: ReadFeedInput & { through?: FeedPosition }): Promise<FeedPage> {
  const { after, through, types, limit, maxBytes = 1024 * 1024 } = input;
  const wanted = types ? sql`and type = any (${types})` : sql``;
  const upTo = through ? sql`and ${PLACE} <= ${place(through)}` : sql``;
  // Lengths are known without reading large values, so only what the page holds is read: nothing of what is held back,
  // which is asked for again and again.
  const { rows } = await sql<MeasuredRow>`
    select session_id, xact::text as xact, seq, type, time, case when final then data else '' end as data,
      surface_op, replace_start, replace_end, source_ranges, final, bytes::int as bytes, bytes_before::int8 as bytes_before
    from (
      select *, sum(bytes) over (${ORDER}) - bytes as bytes_before
      from (
        select session_id, xact, seq, type, time, data, surface_op, replace_start, replace_end, source_ranges,
          ${FINAL} as final, octet_length(data) as bytes
        from session_events
        where ${beyond(input)} ${upTo} ${wanted}
        ${ORDER}
        limit ${limit + 1}
      ) as page
    ) as measured
    where bytes_before < ${maxBytes}
    ${ORDER}
  `.execute(database);
  const open = rows.findIndex(({ final }) => !final);
  const finals = (open === -1 ? rows : rows.slice(0, open)).slice(0, limit);
  const last = rows.at(-1);
  const cut = rows.length > limit || (last && last.bytes_before + last.bytes >= maxBytes);
  const rest = open !== -1 ? 'waiting' : cut ? 'maybe' : 'none';
  const end = finals.at(-1);
  return {
    rows: finals.map(({ final: _f, bytes: _b, bytes_before: _bb, ...row }) => row),
    through: end ? { xact: end.xact, session: end.session_id, seq: end.seq } : after,
    rest,
  };
}

interface Scan {
  /** Whether wanted rows lie up to `through`. */
  wanted: boolean;
  through?: FeedPosition;
  rest: FeedPage['rest'];
}

/** How far the next rows are final, whatever their type: a reader of rare types need not look at the others again. */
async function scan(database: Database, input: ReadFeedInput): Promise<Scan> {
  const { types, scanRows = 2_000 } = input;
  const { rows } = await sql<{ all: boolean; finals: boolean; held: boolean; wanted: boolean } & NullablePosition>`
    with scanned as materialized (
      select xact, session_id, seq, ${FINAL} as final, type = any (${types}) as wanted
      from session_events
      where ${beyond(input)}
      ${ORDER}
      limit ${scanRows}
    )
    select counted.*, last.*
    from (
      select count(*) < ${scanRows} as all, coalesce(bool_and(final), true) as finals,
        coalesce(bool_or(wanted and not final), false) as held, coalesce(bool_or(wanted and final), false) as wanted
      from scanned
    ) as counted
    left join lateral (
      select xact::text as xact, session_id as session, seq from scanned
      where final order by scanned.xact desc, session_id desc, seq desc limit 1
    ) as last on true
  `.execute(database);
  const [found] = rows;
  if (!found) return { wanted: false, rest: 'none' };
  const { all, finals, held, wanted, xact, session, seq } = found;
  // Unwanted rows that are held back are worth no waiting, unless they hide what comes after them.
  const rest = held || (!all && !finals) ? 'waiting' : all ? 'none' : 'maybe';
  return {
    wanted,
    rest,
    ...(xact !== null && session !== null && seq !== null && { through: { xact, session, seq } }),
  };
}

type NullablePosition = { [K in keyof FeedPosition]: FeedPosition[K] | null };

const ORDER = sql`order by xact, session_id, seq`;
const PLACE = sql`(xact, session_id, seq)`;
const FINAL = sql<boolean>`xact < pg_snapshot_xmin(pg_current_snapshot())`;
const place = ({ xact, session, seq }: FeedPosition) => sql`(${xact}::xid8, ${session}, ${seq})`;
const beyond = ({ tenant, after }: ReadFeedInput) => sql`
  tenant = ${tenant} and type <> 'assistant/chunk'
  and ${PLACE} > ${place(after)}
  and xact < pg_snapshot_xmax(pg_current_snapshot())`;

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
