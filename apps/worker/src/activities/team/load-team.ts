import { firstPortion } from '@everturn/core/domain';
import { readTeam, teamRows } from '@everturn/core/postgres';
import type { SessionRef, TeamPage } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** What a page may weigh; a history takes several. */
const PAGE_BYTES = 512 * 1024;

/** A team as the log of its lead tells it, in parts that can travel. */
export async function loadTeam(
  { database }: Pick<ActivityDeps, 'database'>,
  { tenant, session, from }: SessionRef & { from: number },
): Promise<TeamPage> {
  const team = await readTeam(database, { tenant, session });
  const rows = await teamRows(database, { tenant, sessions: [session, ...team.members.map(({ id }) => id)] });
  const left = team.tasks.slice(from);
  const tasks = left.slice(0, firstPortion(left, PAGE_BYTES).length);
  const next = from + tasks.length;
  return {
    team: { ...team, tasks },
    running: [...rows].flatMap(([id, { running }]) => (running ? [id] : [])),
    ...(next < team.tasks.length && { next }),
  };
}
