import type { CommandResult, RequestId, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** What a command came to, or nothing while it runs. Looks at a session's latest commands only. */
export async function readCommandResult(
  database: Database,
  { tenant, session, commandId }: { tenant: TenantId; session: SessionId; commandId: RequestId },
): Promise<CommandResult | undefined> {
  const rows = await database
    .selectFrom('session_events')
    .select('data')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('type', '=', 'command/done')
    .orderBy('seq', 'desc')
    .limit(100)
    .execute();
  for (const { data } of rows) {
    // Validated when it was written.
    const { commandId: id, ...result } = JSON.parse(data) as { commandId: string } & CommandResult;
    if (id === commandId) return result;
  }
  return undefined;
}
