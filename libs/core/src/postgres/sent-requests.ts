import { sql } from 'kysely';
import type { RequestId, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

export type SentRequestKind =
  | 'cancel'
  | 'interrupt'
  | 'close'
  | 'edit'
  | 'drop'
  | 'answer'
  | 'permissions'
  | 'compact'
  | 'plan'
  | 'model'
  | 'command'
  | 'goal'
  | 'reminders'
  | 'rename';

/** Requests on their way to a session. */
export interface SentRequestTable {
  session_id: string;
  request_id: string;
  tenant: string;
  kind: SentRequestKind;
  created_at: ClockColumn;
}

interface RequestKey {
  tenant: TenantId;
  session: SessionId;
  requestId: RequestId;
}

/** Notes a request before it is sent; noting it again changes nothing. */
export async function noteSentRequest(
  database: Database,
  { tenant, session, requestId, kind }: RequestKey & { kind: SentRequestKind },
): Promise<void> {
  await database
    .insertInto('sent_requests')
    .values({ tenant, session_id: session, request_id: requestId, kind })
    .onConflict((conflict) => conflict.columns(['session_id', 'request_id']).doNothing())
    .execute();
}

/** What kind of request this is, or `undefined` when the session was never sent it. */
export async function readSentRequest(database: Database, key: RequestKey): Promise<SentRequestKind | undefined> {
  const row = await database
    .selectFrom('sent_requests')
    .select('kind')
    .where('tenant', '=', key.tenant)
    .where('session_id', '=', key.session)
    .where('request_id', '=', key.requestId)
    .executeTakeFirst();
  return row?.kind;
}

/** Forgets requests sent more than 7 days ago; answers how many. */
export async function expireSentRequests(database: Database): Promise<number> {
  const result = await database
    .deleteFrom('sent_requests')
    .where('created_at', '<', sql<Date>`clock_timestamp() - interval '7 days'`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
