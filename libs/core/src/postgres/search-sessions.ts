import { sql } from 'kysely';
import { SEARCH_LIMITS, SessionQueryError, type SearchHit, type SessionId, type TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';
import { checkLimit, conditions, phraseOf, withSnippets, type EventFilters, type HitRow } from './search-events.ts';

/** Which sessions are looked at; absent = all of the tenant. */
export interface SessionFilters {
  sessions?: readonly SessionId[];
  /** Only sessions that work in exactly this folder. */
  cwd?: string;
  except?: SessionId;
  /** Epoch ms, both included. */
  createdFrom?: number;
  createdTo?: number;
  parents?: readonly SessionId[];
  /** With `parents`: also sessions that have none. Alone: only those. */
  roots?: boolean;
  /** `live` = it could take a message now. */
  availability?: readonly ('live' | 'persisted')[];
}

export interface SearchSessionsInput extends SessionFilters {
  tenant: TenantId;
  query: string;
  /** Of the events in which the phrase is looked for. */
  events?: Omit<EventFilters, 'sessions'>;
  limit?: number;
}

/** A session with the best of its hits. */
export interface SessionHit {
  session: SessionId;
  title: string;
  createdAt: number;
  parent?: SessionId;
  live: boolean;
  best: SearchHit;
}

interface SessionRow extends HitRow {
  title: string;
  created_at: Date;
  parent_id: string | null;
  status: string;
}

/** Sessions that hold a phrase, the one with the best event first; throws `SessionQueryError`. */
export async function searchSessions(database: Database, input: SearchSessionsInput): Promise<SessionHit[]> {
  const { tenant, query, events = {}, limit = SEARCH_LIMITS.usual, ...filters } = input;
  checkLimit(limit);
  if (
    [filters.sessions, filters.parents, filters.availability, events.types, events.surfaces].some(
      (list) => list?.length === 0,
    )
  )
    throw new SessionQueryError('SESSION_QUERY_INVALID_FILTER', 'an empty list matches nothing: leave the filter out');
  const body = await phraseOf(database, query);
  const { rows } = await sql<SessionRow>`
    select * from (
      select distinct on (d.session_id) d.*, s.title, s.created_at, s.parent_id, s.status
      from (
        select session_id, seq, type, time, length(body) as size,
          (length(body) - length(replace(body, ${body}, ''))) / length(${body}) as spans,
          event_surface(session_id, seq, surface_op) as surface
        from search_documents
        where ${conditions({ tenant, body, filters: { ...events, ...(filters.sessions && { sessions: filters.sessions }) } })}
      ) as d
      join sessions as s on s.id = d.session_id and s.tenant = ${tenant}
      where ${ofSessions(filters)}
      order by d.session_id, d.spans desc, d.size, d.time desc, d.seq
    ) as best
    order by spans desc, size, time desc, session_id, seq
    limit ${limit}`.execute(database);
  const hits = await withSnippets(database, rows, query);
  return rows.map((row, index) => ({
    session: row.session_id as SessionId,
    title: row.title,
    createdAt: row.created_at.getTime(),
    ...(row.parent_id !== null && { parent: row.parent_id as SessionId }),
    live: isLive(row),
    best: hits[index] as SearchHit,
  }));
}

const isLive = ({ status }: Pick<SessionRow, 'status'>): boolean => !['closed', 'broken'].includes(status);

function ofSessions({ cwd, except, createdFrom, createdTo, parents, roots, availability }: SessionFilters) {
  const all = [sql`true`];
  if (cwd !== undefined) all.push(sql`s.header::json->>'cwd' = ${cwd}`);
  if (except !== undefined) all.push(sql`s.id <> ${except}`);
  if (createdFrom !== undefined) all.push(sql`s.created_at >= ${new Date(createdFrom)}`);
  if (createdTo !== undefined) all.push(sql`s.created_at <= ${new Date(createdTo)}`);
  if (parents)
    all.push(sql`(s.parent_id = any (${[...parents]}::text[]) or (${roots === true} and s.parent_id is null))`);
  else if (roots) all.push(sql`s.parent_id is null`);
  // Every session is stored; one that could take a message now is live, too.
  if (availability && !availability.includes('persisted')) all.push(sql`s.status not in ('closed', 'broken')`);
  return sql.join(all, sql` and `);
}
