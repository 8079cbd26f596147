import { sql } from 'kysely';
import type { SessionEventMap, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** How often in a turn external hooks have refused at a point; several that refuse one question count once. */
export async function countHookRefusals(
  database: Database,
  { tenant, session, turn, point }: { tenant: TenantId; session: SessionId; turn: number; point: string },
): Promise<number> {
  const rows = await database
    .selectFrom('session_events')
    .select('data')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('turn', '=', turn)
    .where('type', '=', 'hook/result')
    // Else it would read all there ever was.
    .where(
      'seq',
      '>=',
      sql<number>`coalesce((
        select min(seq) from session_events where session_id = ${session} and turn = ${turn} and type = 'turn/start'
      ), 0)`,
    )
    .execute();
  const refusals = rows
    .map(({ data }) => JSON.parse(data) as SessionEventMap['hook/result'])
    .filter((result) => result.point === point && result.decision === 'deny');
  return new Set(refusals.map(({ handlerId }) => placeOf(handlerId))).size;
}

/** Runs are named `<hook>@<place>`. */
const placeOf = (handlerId: string): string => handlerId.slice(handlerId.lastIndexOf('@') + 1);
