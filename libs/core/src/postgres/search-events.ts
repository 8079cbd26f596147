import { sql, type RawBuilder } from 'kysely';
import {
  EVENT_SURFACES,
  SEARCH_LIMITS,
  searchedText,
  SessionQueryError,
  snippetOf,
  type EventSurface,
  type SearchHit,
  type SessionId,
  type TenantId,
} from '../domain/index.ts';
import type { Database } from './database.ts';
import { decodeCursor, encodeCursor, requestDigest, type SearchCursor } from './search-cursor.ts';
import { toSessionEvent, type EventRow } from './session-events.ts';

/** Which events are looked at; absent = all. */
export interface EventFilters {
  sessions?: readonly SessionId[];
  types?: readonly string[];
  surfaces?: readonly EventSurface[];
  seqFrom?: number;
  seqTo?: number;
  /** Epoch ms, both included. */
  timeFrom?: number;
  timeTo?: number;
}

export interface SearchEventsInput extends EventFilters {
  tenant: TenantId;
  /** Words as data: a phrase, whatever characters stand between them. */
  query: string;
  limit?: number;
  cursor?: string;
}

/** Hits by rank: more places first, then shorter events, then newer ones. */
export interface SearchPage {
  hits: SearchHit[];
  next?: string;
}

/** A hit without its text. */
export interface HitRow {
  session_id: string;
  seq: number;
  type: string;
  time: number;
  surface: EventSurface;
  spans: number;
  size: number;
}

/** Finds events that hold a phrase; throws `SessionQueryError`. */
export async function searchEvents(database: Database, input: SearchEventsInput): Promise<SearchPage> {
  const { tenant, query, limit = SEARCH_LIMITS.usual, cursor: given, ...filters } = input;
  checkLimit(limit);
  const request = requestDigest({ tenant, query, ...filters });
  const cursor = given === undefined ? undefined : decodeCursor(given, request);
  const body = await phraseOf(database, query);
  const upTo = cursor ? await stillThere(database, tenant, cursor) : await newest(database, tenant);
  const rows = await ranked(database, {
    tenant,
    body,
    filters,
    upTo,
    limit: limit + 1,
    ...(cursor && { after: cursor.place }),
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    hits: await withSnippets(database, page, query),
    ...(last && { next: encodeCursor({ request, upTo, place: placeOf(last) }) }),
  };
}

/** Throws `SESSION_QUERY_INVALID_LIMIT`. */
export function checkLimit(limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= SEARCH_LIMITS.most) return;
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_LIMIT',
    `limit must be a whole number from 1 to ${SEARCH_LIMITS.most}`,
  );
}

/** The phrase as the index holds it; throws `SESSION_QUERY_INVALID_QUERY` for one without words. */
export async function phraseOf(database: Database, query: string): Promise<string> {
  const words = query.toWellFormed().replaceAll('\0', ' ').slice(0, 1_000);
  const { rows } = await sql<{ body: string }>`select search_body(${words}) as body`.execute(database);
  const body = rows[0]?.body ?? '';
  if (body.trim() !== '') return body;
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_QUERY',
    'the query holds no word: give letters or digits to look for',
  );
}

interface RankedInput {
  tenant: TenantId;
  body: string;
  filters: EventFilters;
  upTo: number;
  limit: number;
  after?: SearchCursor['place'];
}

async function ranked(
  database: Database,
  { tenant, body, filters, upTo, limit, after }: RankedInput,
): Promise<HitRow[]> {
  // The order by rank as one row that only rises.
  const beyond = after
    ? sql`where (-spans, size, -time, session_id, seq) > (${-after.spans}, ${after.size}, ${-after.time}, ${after.session}, ${after.seq})`
    : sql``;
  const { rows } = await sql<HitRow>`
    select session_id, seq, type, time, spans, size,
      event_surface(session_id, seq, surface_op) as surface
    from (
      select session_id, seq, type, time, surface_op, length(body) as size,
        (length(body) - length(replace(body, ${body}, ''))) / length(${body}) as spans
      from search_documents
      where ${conditions({ tenant, body, filters })} and id <= ${upTo}
    ) as found
    ${beyond}
    order by spans desc, size, time desc, session_id, seq
    limit ${limit}`.execute(database);
  return rows;
}

/** What makes an event a hit, for the statements that look for any. */
export function conditions({
  tenant,
  body,
  filters,
}: Pick<RankedInput, 'tenant' | 'body' | 'filters'>): RawBuilder<unknown> {
  const { sessions, types, surfaces, seqFrom, seqTo, timeFrom, timeTo } = filters;
  const only = sessions?.length === 1 ? [`@s:${sessions[0]}`] : [];
  const all = [
    sql`terms @@ search_query(${body}, ${[`@t:${tenant}`, ...only]}::text[])`,
    sql`tenant = ${tenant}`,
    sql`position(${body} in body) > 0`,
  ];
  if (sessions) all.push(sql`session_id = any (${[...sessions]}::text[])`);
  if (types) all.push(sql`type = any (${[...types]}::text[])`);
  if (seqFrom !== undefined) all.push(sql`seq >= ${seqFrom}`);
  if (seqTo !== undefined) all.push(sql`seq <= ${seqTo}`);
  if (timeFrom !== undefined) all.push(sql`time >= ${timeFrom}`);
  if (timeTo !== undefined) all.push(sql`time <= ${timeTo}`);
  if (surfaces && surfaces.length < EVENT_SURFACES.length)
    all.push(sql`event_surface(session_id, seq, surface_op) = any (${[...surfaces]}::text[])`);
  return sql.join(all, sql` and `);
}

/** Pages of one search are of one moment: what is written later is not among them. */
async function newest(database: Database, tenant: TenantId): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from search_documents where tenant = ${tenant}`.execute(database);
  return rows[0]?.id ?? 0;
}

async function stillThere(database: Database, tenant: TenantId, { upTo, place }: SearchCursor): Promise<number> {
  const { rows } = await sql`
    select from search_documents
    where tenant = ${tenant} and session_id = ${place.session} and seq = ${place.seq} and id <= ${upTo}`.execute(
    database,
  );
  if (rows.length > 0) return upTo;
  throw new SessionQueryError(
    'SESSION_QUERY_STALE_CURSOR',
    'the log was rebuilt since the cursor was given; start without one',
  );
}

const placeOf = ({ spans, size, time, session_id, seq }: HitRow) => ({
  spans,
  size,
  time,
  session: session_id as SessionId,
  seq,
});

/** Hits with what their events say around the phrase. */
export async function withSnippets(database: Database, hits: readonly HitRow[], query: string): Promise<SearchHit[]> {
  if (hits.length === 0) return [];
  const wanted = JSON.stringify(hits.map(({ session_id: session, seq }) => ({ session, seq })));
  const { rows } = await sql<EventRow & { session_id: string }>`
    select e.session_id, e.seq, e.type, e.time, e.data, e.surface_op, e.replace_start, e.replace_end, e.source_ranges
    from jsonb_to_recordset(${wanted}::jsonb) as w (session text, seq bigint)
    join session_events as e on e.session_id = w.session and e.seq = w.seq`.execute(database);
  const texts = new Map(
    rows.map(({ session_id, ...row }) => [`${session_id}/${row.seq}`, searchedText(toSessionEvent(row))]),
  );
  return hits.map(({ session_id, seq, type, time, surface, spans }) => ({
    session: session_id as SessionId,
    seq,
    type,
    time,
    surface,
    spans,
    snippet: snippetOf(texts.get(`${session_id}/${seq}`) ?? '', query),
  }));
}
