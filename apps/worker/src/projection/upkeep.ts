import { sql } from 'kysely';
import {
  expireDeliveries,
  expireIdempotencyKeys,
  expireSentRequests,
  expireSpills,
  expireUploads,
} from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';
import { asProjectionError, ProjectionError } from './errors.ts';
import type { HistorySource } from './histories/collect-facts.ts';
import type { Projection } from './projection.ts';
import { seal } from './seal.ts';

type SessionKey = Pick<SessionRef, 'tenant' | 'session'>;

export interface SealDueInput {
  /** Seal a session once its first unsealed turn ended this long ago; well below the retention of histories. */
  endedForMs: number;
  /** Most sessions of one run. */
  limit: number;
  /** Called between histories, to beat. */
  progress: () => void;
}

/** Failures in a row after which it is not the sessions. */
const GIVE_UP_AFTER = 3;

export interface SealedReport {
  sealed: number;
  /** Sessions whose rows and histories differ. */
  diverged: string[];
  /** Sessions that are due and could not be sealed all the same, and why. */
  unsealed: string[];
}

/**
 * Seals the finished turns of every session in which one has been unsealed for a while; names those that could not be.
 * Whatever one session does to whoever verifies it, the others have their turn: one that was tried comes last next time.
 */
export async function sealDue(
  projection: Projection,
  source: HistorySource,
  { endedForMs, limit, progress }: SealDueInput,
): Promise<SealedReport> {
  const report: SealedReport = { sealed: 0, diverged: [], unsealed: [] };
  let failures = 0;
  for (const key of await unsealedSessions(projection, { endedForMs, limit })) {
    progress();
    const name = `${key.tenant}/${key.session}`;
    await noteTrial(projection, key);
    try {
      const turns = await seal(projection, source, { ...key, progress });
      report.sealed += turns.length;
      failures = 0;
      if (turns.length === 0) report.unsealed.push(`${name}: no history confirms the rows of its first unsealed turn`);
    } catch (error) {
      if (error instanceof ProjectionError && !error.retryable) {
        report.diverged.push(`${name}: ${error.message}`);
        continue;
      }
      failures += 1;
      if (failures === GIVE_UP_AFTER) throw error;
      report.unsealed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return report;
}

/** Before it is tried: it may be the end of this process. */
async function noteTrial({ database }: Projection, { tenant, session }: SessionKey): Promise<void> {
  await asProjectionError(() =>
    database
      .updateTable('log_heads')
      .set({ seal_tried_at: sql<Date>`clock_timestamp()` })
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .execute(),
  );
}

async function unsealedSessions(
  { database }: Projection,
  { endedForMs, limit }: Pick<SealDueInput, 'endedForMs' | 'limit'>,
): Promise<SessionKey[]> {
  const { rows } = await asProjectionError(() =>
    sql<SessionKey>`
      select head.tenant, head.session_id as session
      from log_heads as head
      cross join lateral (select coalesce(max(turn), 0) as turn from turn_seals where session_id = head.session_id) as sealed
      join session_events as ended on ended.session_id = head.session_id and ended.turn = sealed.turn + 1
        and ended.type = 'turn/end' and ended.time < ${Date.now() - endedForMs}
      where head.last_turn - (case when head.open_turn is null then 0 else 1 end) > sealed.turn
      order by head.seal_tried_at nulls first, ended.time
      limit ${limit}`.execute(database),
  );
  return rows;
}

/** Most uploads, and most kept results, of one run. */
const LARGE_PER_RUN = 500;

/** Forgets keys, requests sent and unused uploads of 7 days, notifications and kept results of 30; answers how many. */
export async function expireKeys({ database }: Pick<Projection, 'database'>): Promise<number> {
  return asProjectionError(
    async () =>
      (await expireIdempotencyKeys(database)) +
      (await expireSentRequests(database)) +
      (await expireDeliveries(database)) +
      (await expireUploads(database, LARGE_PER_RUN)) +
      (await expireSpills(database, LARGE_PER_RUN)),
  );
}
