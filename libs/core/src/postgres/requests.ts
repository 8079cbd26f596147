import type { RequestId, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** What became of each request a session was sent. */
export interface RequestTable {
  session_id: string;
  request_id: string;
  tenant: string;
  outcome: 'accepted' | 'refused';
  code: string | null;
  message: string | null;
  settled_at: ClockColumn;
}

export interface RequestRow {
  requestId: RequestId;
  outcome: 'accepted' | 'refused';
  code?: string;
  message?: string;
  settledAt: Date;
}

/** The outcome of one request, or `undefined` while it has none. */
export async function readRequest(
  database: Database,
  { tenant, session, requestId }: { tenant: TenantId; session: SessionId; requestId: RequestId },
): Promise<RequestRow | undefined> {
  const row = await database
    .selectFrom('requests')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    requestId,
    outcome: row.outcome,
    ...(row.code !== null && { code: row.code }),
    ...(row.message !== null && { message: row.message }),
    settledAt: row.settled_at,
  };
}
