import { sql } from 'kysely';
import type { SessionEvent, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';
import { toSessionEvent } from './session-events.ts';
import type { EventRow } from './session-events.ts';

export interface ReadEventsInput {
  tenant: TenantId;
  session: SessionId;
  /** The first number wanted. */
  from: number;
  /** The last number wanted; without it, the end of the log. */
  to?: number;
  types?: readonly string[];
  /** `false` leaves out `assistant/chunk`. */
  chunks?: boolean;
  /** Most events of a page. */
  limit: number;
  /** A page ends with the event that reaches this many bytes of data; default 4 MiB. */
  maxBytes?: number;
}

/** A page of rows. `next` is where to read on; absent when the page reached the end. */
export interface EventPage<T> {
  events: T[];
  next?: number;
}

/** Reads a page of a log; an unknown or foreign session has no events. */
export async function readEvents(database: Database, input: ReadEventsInput): Promise<EventPage<SessionEvent>> {
  const { events, next } = await readEventRows(database, input);
  return { events: events.map(toSessionEvent), ...(next !== undefined && { next }) };
}

/** Like {@link readEvents}, with data as stored text, for readers that pass it on. */
export async function readEventRows(database: Database, input: ReadEventsInput): Promise<EventPage<EventRow>> {
  const { limit, maxBytes = 4 * 1024 * 1024 } = input;
  // Lengths are known without reading large values, so only what the page holds is read.
  const { rows } = await sql<EventRow & { bytes_before: number }>`
    select seq, type, time, data, surface_op, replace_start, replace_end, source_ranges, bytes_before
    from (
      select *, sum(octet_length(data)) over (order by seq) - octet_length(data) as bytes_before
      from (
        select seq, type, time, data, surface_op, replace_start, replace_end, source_ranges
        from session_events
        where ${wanted(input)}
        order by seq
        limit ${limit + 1}
      ) as page
    ) as measured
    where bytes_before < ${maxBytes}
    order by seq
  `.execute(database);
  const events = rows.slice(0, limit).map(({ bytes_before: _, ...row }) => row);
  const last = events.at(-1);
  // A page cut by bytes looks like the last one; asking again from its end costs one empty read.
  const complete =
    rows.length <= limit && last !== undefined && Number(rows.at(-1)?.bytes_before) + last.data.length < maxBytes;
  return { events, ...(last !== undefined && !complete && { next: last.seq + 1 }) };
}

function wanted({ tenant, session, from, to, types, chunks = true }: ReadEventsInput) {
  const conditions = [sql`tenant = ${tenant}`, sql`session_id = ${session}`, sql`seq >= ${from}`];
  if (to !== undefined) conditions.push(sql`seq <= ${to}`);
  if (types) conditions.push(sql`type = any (${types})`);
  if (!chunks) conditions.push(sql`type <> 'assistant/chunk'`);
  return sql.join(conditions, sql` and `);
}
