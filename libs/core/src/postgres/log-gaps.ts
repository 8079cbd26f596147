import type { SeqRange, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** Why numbers have no row: chunks that were pruned, or that a rebuild could not bring back. */
export type GapReason = 'pruned' | 'rebuilt';

/** Ranges of numbers without rows. */
export interface LogGapTable {
  session_id: string;
  from_seq: number;
  to_seq: number;
  tenant: string;
  reason: GapReason;
}

export type LogGap = SeqRange & { reason: GapReason };

/** The gaps of a log, in order. */
export async function readGaps(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<LogGap[]> {
  return database
    .selectFrom('log_gaps')
    .select(['from_seq as from', 'to_seq as to', 'reason'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .orderBy('from_seq')
    .execute();
}
