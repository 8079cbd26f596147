import { sql } from 'kysely';
import { SessionQueryError, type SessionEvent, type SessionId, type TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';
import { readEvents } from './read-events.ts';
import { expandRanges, type StoredRange } from './session-events.ts';

interface EventKey {
  tenant: TenantId;
  session: SessionId;
  seq: number;
}

/** How an event is tied to others of its session. */
export interface EventTrace {
  type: string;
  time: number;
  replacedBy?: number;
  /** What stands in its place, what stands in the place of that, and so on. */
  replacementChain: number[];
  /** What it stands in the place of itself. */
  replacedEventSeqs: number[];
  /** As recorded. */
  sourceEventSeqs: number[];
  /** In log order. */
  derivedEventSeqs: number[];
}

/** Traces an event; throws `SESSION_QUERY_EVENT_NOT_FOUND`. */
export async function traceEvent(database: Database, key: EventKey): Promise<EventTrace> {
  const { rows } = await sql<{
    type: string;
    time: number;
    surface_op: string | null;
    source_ranges: StoredRange[] | null;
  }>`
    select type, time, surface_op, source_ranges from session_events
    where tenant = ${key.tenant} and session_id = ${key.session} and seq = ${key.seq}`.execute(database);
  const [event] = rows;
  if (!event) throw notFound(key);
  const sources = expandRanges(event.source_ranges ?? []);
  const chain: number[] = [];
  for (
    let at: number | undefined = event.surface_op === null ? undefined : await replacing(database, key);
    at !== undefined;
  ) {
    chain.push(at);
    at = await replacing(database, { ...key, seq: at });
  }
  const [first] = chain;
  return {
    type: event.type,
    time: event.time,
    ...(first !== undefined && { replacedBy: first }),
    replacementChain: chain,
    replacedEventSeqs: event.surface_op === 'replace' ? await onSurface(database, key, sources) : [],
    sourceEventSeqs: sources,
    derivedEventSeqs: await derived(database, key),
  };
}

async function replacing(database: Database, { tenant, session, seq }: EventKey): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number }>`
    select r.seq from session_events as r
    where r.tenant = ${tenant} and r.session_id = ${session} and r.surface_op = 'replace' and r.seq > ${seq}
      and exists (select from jsonb_array_elements(r.source_ranges) as span
        where ${seq} between (span->>0)::bigint and (span->>1)::bigint)
    order by r.seq limit 1`.execute(database);
  return rows[0]?.seq;
}

/** The sources that were messages: others only tell how it came about. */
async function onSurface(
  database: Database,
  { tenant, session }: EventKey,
  sources: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from session_events where tenant = ${tenant} and session_id = ${session}
      and seq = any (${[...sources]}::bigint[]) and surface_op is not null`.execute(database);
  const shown = new Set(rows.map(({ seq }) => seq));
  return sources.filter((seq) => shown.has(seq));
}

/** Most that are told of: every chunk is a source of its message, and nothing else is one of many. */
const MOST_DERIVED = 1_000;

async function derived(database: Database, { tenant, session, seq }: EventKey): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select d.seq from session_events as d
    where d.tenant = ${tenant} and d.session_id = ${session} and d.seq > ${seq} and d.source_ranges is not null
      and exists (select from jsonb_array_elements(d.source_ranges) as span
        where ${seq} between (span->>0)::bigint and (span->>1)::bigint)
    order by d.seq limit ${MOST_DERIVED}`.execute(database);
  return rows.map((row) => row.seq);
}

/** An event with its neighbours. */
export interface EventWindow {
  target: SessionEvent;
  before: SessionEvent[];
  after: SessionEvent[];
}

/** Most neighbours on one side. */
export const MOST_NEIGHBOURS = 50;

/** Reads an event and its neighbours; throws `SESSION_QUERY_EVENT_NOT_FOUND` and `SESSION_QUERY_INVALID_WINDOW`. */
export async function readEventWindow(
  database: Database,
  { before, after, ...key }: EventKey & { before: number; after: number },
): Promise<EventWindow> {
  for (const size of [before, after])
    if (!Number.isSafeInteger(size) || size < 0 || size > MOST_NEIGHBOURS)
      throw new SessionQueryError(
        'SESSION_QUERY_INVALID_WINDOW',
        `before and after must be whole numbers from 0 to ${MOST_NEIGHBOURS}`,
      );
  const { tenant, session, seq } = key;
  const [from, to] = [Math.max(0, seq - before), seq + after];
  const { events } = await readEvents(database, { tenant, session, from, to, limit: to - from + 1 });
  const target = events.find((event) => event.seq === seq);
  if (!target) throw notFound(key);
  return {
    target,
    before: events.filter((event) => event.seq < seq),
    after: events.filter((event) => event.seq > seq),
  };
}

const notFound = ({ session, seq }: EventKey): SessionQueryError =>
  new SessionQueryError('SESSION_QUERY_EVENT_NOT_FOUND', `session ${session} has no event ${seq}`);
