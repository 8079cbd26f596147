import { sql } from 'kysely';
import type { AgentRow, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';
import { toSession, type SessionRow } from './sessions.ts';

interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}

/** Ids of everything below a session, at most so many; `agents`: only those that work for it, no forks. */
const below = ({ tenant, session }: SessionKey, limit: number, which: 'all' | 'agents') => sql`
  with recursive below (id) as (
    select id from sessions where tenant = ${tenant} and parent_id = ${session}
      and (${which === 'all'} or header::json->>'origin' = 'subagent')
    union
    select child.id from sessions as child join below on child.parent_id = below.id where child.tenant = ${tenant}
      and (${which === 'all'} or child.header::json->>'origin' = 'subagent')
  )
  select id from below limit ${limit}`;

/** Every session below one, in no order; at most `limit`. */
export async function sessionsBelow(database: Database, key: SessionKey, limit: number): Promise<SessionRow[]> {
  const ids = (await sql<{ id: string }>`${below(key, limit, 'all')}`.execute(database)).rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('sessions')
    .selectAll()
    .where('tenant', '=', key.tenant)
    .where('id', 'in', ids)
    .execute();
  return rows.map(toSession);
}

/** The agents below one, with what their own parts of their logs say they are. */
export async function agentsBelow(database: Database, key: SessionKey, limit: number): Promise<AgentRow[]> {
  const { rows } = await sql<{
    id: SessionId;
    parent: SessionId;
    created_at: Date;
    running: boolean;
    descriptors: string[];
  }>`
    select id, parent_id as parent, created_at, status in ('running', 'waiting') as running,
      array(
        select data from session_events
        where session_id = sessions.id and type = 'subagent/descriptor'
          and seq >= coalesce((header::json->>'seedLength')::bigint, 0)
        order by seq
      ) as descriptors
    from sessions
    where tenant = ${key.tenant} and id in (${below(key, limit, 'agents')})
  `.execute(database);
  return rows.map(({ id, parent, created_at: createdAt, running, descriptors }) => ({
    id,
    parent,
    createdAt,
    running,
    descriptors: descriptors.map((data) => JSON.parse(data) as unknown),
  }));
}

/** The agents that stay with a session and have not closed. */
export async function openChildren(database: Database, { tenant, session }: SessionKey): Promise<SessionId[]> {
  const { rows } = await sql<{ id: SessionId }>`
    select id from sessions
    where tenant = ${tenant} and parent_id = ${session} and status not in ('closed', 'broken')
      and storable_json(options)->'delegation'->>'mode' = 'continuable'
    order by created_at, id`.execute(database);
  return rows.map(({ id }) => id);
}

/** The agents that stay with a session and are at work, or wait for such of their own. */
export async function childrenAtWork(database: Database, { tenant, session }: SessionKey): Promise<SessionId[]> {
  const stays = sql`storable_json(options)->'delegation'->>'mode' = 'continuable' and status not in ('closed', 'broken')`;
  const { rows } = await sql<{ id: SessionId }>`
    with recursive below (top, id, status) as (
      select id, id, status from sessions where tenant = ${tenant} and parent_id = ${session} and ${stays}
      union all
      select below.top, child.id, child.status from below
      join lateral (
        select id, status from sessions where tenant = ${tenant} and parent_id = below.id and ${stays}
      ) as child on true
    )
    select distinct top as id from below where status in ('running', 'waiting') order by top`.execute(database);
  return rows.map(({ id }) => id);
}

/** Which of these children rest, with all below them, and have for so long that what they said of it has come. */
export async function childrenAtRest(
  database: Database,
  key: SessionKey,
  { children, forMs }: { children: readonly SessionId[]; forMs: number },
): Promise<SessionId[]> {
  const atWork = await childrenAtWork(database, key);
  const { rows } = await sql<{ id: SessionId }>`
    select id from sessions
    where tenant = ${key.tenant} and parent_id = ${key.session} and id = any(${[...children]})
      and status not in ('running', 'waiting') and updated_at < clock_timestamp() - ${forMs} * interval '1 millisecond'
    order by id`.execute(database);
  return rows.flatMap(({ id }) => (atWork.includes(id) ? [] : [id]));
}

/** The ids of those a session works for, nearest first. */
export async function ancestorsOf(database: Database, { tenant, session }: SessionKey): Promise<SessionId[]> {
  const { rows } = await sql<{ id: SessionId }>`
    with recursive above (id, parent_id, origin, distance) as (
      select id, parent_id, header::json->>'origin', 0 from sessions where tenant = ${tenant} and id = ${session}
      union all
      select parent.id, parent.parent_id, parent.header::json->>'origin', above.distance + 1
      from sessions as parent join above on parent.id = above.parent_id
      where parent.tenant = ${tenant} and above.origin = 'subagent' and above.distance < 1000
    )
    select id from above where distance > 0 order by distance`.execute(database);
  return rows.map(({ id }) => id);
}
