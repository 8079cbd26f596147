import type { SessionEventMap, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** How a turn ended, or `undefined` while it has not. */
export async function readTurnEnd(
  database: Database,
  { tenant, session, turn }: { tenant: TenantId; session: SessionId; turn: number },
): Promise<SessionEventMap['turn/end']['reason'] | undefined> {
  const row = await database
    .selectFrom('session_events')
    .select('data')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('turn', '=', turn)
    .where('type', '=', 'turn/end')
    .executeTakeFirst();
  return row && (JSON.parse(row.data) as SessionEventMap['turn/end']).reason;
}
