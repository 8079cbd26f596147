import type { ReminderChange, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** What a session's log says of its reminders, oldest first; what it took over from another session does not count. */
export async function readReminderChanges(
  database: Database,
  { tenant, session, seedLength = 0 }: { tenant: TenantId; session: SessionId; seedLength?: number | undefined },
): Promise<ReminderChange[]> {
  const rows = await database
    .selectFrom('session_events')
    .select('data')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('type', '=', 'schedule/change')
    .where('seq', '>=', seedLength)
    .orderBy('seq')
    .execute();
  // Validated when they were written.
  return rows.map(({ data }) => JSON.parse(data) as ReminderChange);
}
