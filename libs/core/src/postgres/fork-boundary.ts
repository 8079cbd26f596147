import { sql } from 'kysely';
import type { SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

export type ForkBoundary =
  /** The number of the `turn/end` a fork ends with. */
  | { kind: 'at'; seq: number }
  /** No turn has ended. */
  | { kind: 'none' }
  /** The place asked for lies in a turn that has not ended. */
  | { kind: 'open-turn' };

/** Where a fork of a log ends: with the first turn that ends at or after a place, or with the last that has ended. */
export async function forkBoundary(
  database: Database,
  { tenant, session, atSeq }: { tenant: TenantId; session: SessionId; atSeq?: number },
): Promise<ForkBoundary> {
  const { rows } = await sql<{ first: number | null; last: number | null; next: number }>`
    select next_seq as next,
      (select min(seq) from session_events where session_id = ${session} and type = 'turn/end'
        and seq >= ${atSeq ?? Number.MAX_SAFE_INTEGER}) as first,
      (select max(seq) from session_events where session_id = ${session} and type = 'turn/end') as last
    from log_heads
    -- A head that knows of no turn may have rows all the same: a seed that is still being copied.
    where tenant = ${tenant} and session_id = ${session} and last_turn > 0`.execute(database);
  const { first = null, last = null, next = 0 } = rows[0] ?? {};
  if (first !== null) return { kind: 'at', seq: first };
  if (atSeq !== undefined && atSeq < next && atSeq > (last ?? -1)) return { kind: 'open-turn' };
  return last === null ? { kind: 'none' } : { kind: 'at', seq: last };
}
