import { sql } from 'kysely';
import {
  foldTeam,
  TEAM_EVENTS,
  type SessionId,
  type Team,
  type TeamFact,
  type TeamMail,
  type TenantId,
} from '../domain/index.ts';
import type { Database } from './database.ts';

interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}

const teamEvents = (database: Database, { tenant, session }: SessionKey) =>
  database
    .selectFrom('session_events')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('type', 'in', TEAM_EVENTS);

/** The team a session leads, as its log tells it. */
export async function readTeam(database: Database, key: SessionKey): Promise<Team> {
  const rows = await teamEvents(database, key).select(['type', 'data']).orderBy('seq').execute();
  // Validated when they were written.
  const facts = rows.map(({ type, data }) => ({ type, data: JSON.parse(data) as unknown }) as TeamFact);
  return foldTeam(key.session, facts);
}

/** Whether a log tells of a team; one that begins with another's may tell of that one's only. */
export async function hasTeam(database: Database, key: SessionKey): Promise<boolean> {
  const row = await teamEvents(database, key)
    .select('seq')
    .where('data', 'like', `%"teamId":${JSON.stringify(key.session)}%`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A message of a team as it was kept. */
export async function readTeamMail(
  database: Database,
  { messageId, ...key }: SessionKey & { messageId: string },
): Promise<TeamMail | undefined> {
  const rows = await teamEvents(database, key)
    .select('data')
    .where('type', '=', 'team/message/queued')
    .where('data', 'like', `%"id":${JSON.stringify(messageId)}%`)
    .execute();
  return rows
    .map(({ data }) => (JSON.parse(data) as Extract<TeamFact, { type: 'team/message/queued' }>['data']).message)
    .find(({ id }) => id === messageId);
}

/** Which messages a session has written into its log, or will never: they need not be sent to it. */
export async function settledPrompts(
  database: Database,
  { tenant, session, ids }: SessionKey & { ids: readonly string[] },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('prompts')
    .select('prompt_id')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('prompt_id', 'in', ids)
    .where('state', 'in', ['claimed', 'done', 'discarded'])
    .execute();
  return rows.map(({ prompt_id: id }) => id);
}

/** How the sessions of a team stand; those that are not there are left out. */
export async function teamRows(
  database: Database,
  { tenant, sessions }: { tenant: TenantId; sessions: readonly SessionId[] },
): Promise<Map<SessionId, { running: boolean; model?: string }>> {
  const { rows } = await sql<{ id: SessionId; running: boolean; model: string | null }>`
    select id, status in ('running', 'waiting') as running, model from sessions
    where tenant = ${tenant} and id in (${sql.join(sessions)})`.execute(database);
  return new Map(rows.map(({ id, running, model }) => [id, { running, ...(model !== null && { model }) }]));
}
