import { sql } from 'kysely';
import { expireDeliveries, expireIdempotencyKeys, expireSentRequests, expireUploads } from '@everturn/core/postgres';
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

/** Seals the finished turns of every session in which one has been unsealed for a while; names those that could not be. */
export async function sealDue(
  projection: Projection,
  source: HistorySource,
  { endedForMs, limit, progress }: SealDueInput,
): Promise<{ sealed: number; diverged: string[] }> {
  let sealed = 0;
  const diverged: string[] = [];
  for (const key of await unsealedSessions(projection, { endedForMs, limit })) {
    progress();
    try {
      sealed += (await seal(projection, source, { ...key, progress })).length;
    } catch (error) {
      if (!(error instanceof ProjectionError) || error.retryable) throw error;
      diverged.push(`${key.tenant}/${key.session}: ${error.message}`);
    }
  }
  return { sealed, diverged };
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
      order by ended.time
      limit ${limit}`.execute(database),
  );
  return rows;
}

/** Most uploads of one run. */
const UPLOADS_PER_RUN = 500;

/** Forgets keys, requests sent and unused uploads of 7 days, and notifications of 30; answers how many. */
export async function expireKeys({ database }: Projection): Promise<number> {
  return asProjectionError(
    async () =>
      (await expireIdempotencyKeys(database)) +
      (await expireSentRequests(database)) +
      (await expireDeliveries(database)) +
      (await expireUploads(database, UPLOADS_PER_RUN)),
  );
}
