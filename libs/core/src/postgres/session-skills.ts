import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** A session's skills as they were found last, as JSON. */
export interface SessionSkillsTable {
  session_id: string;
  tenant: string;
  skills: string;
  found_at: ClockColumn;
}

/** A skill as people see it. */
export interface SessionSkill {
  name: string;
  description: string;
  source: 'project' | 'plugin' | 'deployment' | 'user';
  byModel: boolean;
  byPerson: boolean;
}

interface SkillsKey {
  tenant: TenantId;
  session: SessionId;
}

/** As text: what a file says may hold what jsonb refuses. */
const textOf = (skills: readonly SessionSkill[]): string => JSON.stringify(skills).replaceAll('\\u0000', '\\ufffd');

/** Tells one list from another, as `readSessionStanding` tells the one that is kept. */
export const skillsMark = (skills: readonly SessionSkill[]): string =>
  createHash('sha256').update(textOf(skills)).digest('hex');

/** Keeps the skills of a session as found now. */
export async function writeSessionSkills(
  database: Database,
  { tenant, session, skills }: SkillsKey & { skills: readonly SessionSkill[] },
): Promise<void> {
  const row = { tenant, session_id: session, skills: textOf(skills) };
  await database
    .insertInto('session_skills')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('session_id')
        .doUpdateSet({ skills: row.skills, found_at: sql<Date>`clock_timestamp()` })
        .where('session_skills.tenant', '=', tenant),
    )
    .execute();
}

/** The skills of a session as found last; none before its first turn. */
export async function readSessionSkills(
  database: Database,
  { tenant, session }: SkillsKey,
): Promise<{ skills: SessionSkill[]; foundAt: number } | undefined> {
  const row = await database
    .selectFrom('session_skills')
    .select(['skills', 'found_at'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .executeTakeFirst();
  return row && { skills: JSON.parse(row.skills) as SessionSkill[], foundAt: row.found_at.getTime() };
}
