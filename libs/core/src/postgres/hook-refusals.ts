import type { SessionEventMap, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** How often external hooks have refused at a point in a turn. */
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
    .execute();
  const results = rows.map(({ data }) => JSON.parse(data) as SessionEventMap['hook/result']);
  return results.filter((result) => result.point === point && result.decision === 'deny').length;
}
