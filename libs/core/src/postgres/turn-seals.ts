import type { SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** The hash chain over the non-chunk rows of finished turns. */
export interface TurnSealTable {
  session_id: string;
  turn: number;
  tenant: string;
  from_seq: number;
  to_seq: number;
  row_count: number;
  previous: Buffer;
  hash: Buffer;
  sealed_at: ClockColumn;
}

export interface TurnSeal {
  turn: number;
  fromSeq: number;
  toSeq: number;
  rowCount: number;
  previous: Buffer;
  hash: Buffer;
}

/** The seals of a session's turns, in order. */
export async function readSeals(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<TurnSeal[]> {
  return database
    .selectFrom('turn_seals')
    .select(['turn', 'from_seq as fromSeq', 'to_seq as toSeq', 'row_count as rowCount', 'previous', 'hash'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .orderBy('turn')
    .execute();
}
