import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { RequestId, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** What a session was created with is kept under this key, for good; no caller's key can hold a space. */
export const CREATION_KEY = 'creation of the session';

/** What a caller's key was first used for. */
export interface IdempotencyTable {
  tenant: string;
  session_id: string;
  key: string;
  body_hash: Buffer;
  request_id: string;
  created_at: ClockColumn;
}

export interface ClaimKeyInput {
  tenant: TenantId;
  session: SessionId;
  key: string;
  /** The canonical text of the request's body. */
  body: string;
  /** Used when the key is new. */
  requestId: RequestId;
}
/** `new`: go on; `repeated`: the same request was made before; `conflict`: the key was used for another body. */
export type ClaimKeyResult =
  | { kind: 'new'; requestId: RequestId }
  | { kind: 'repeated'; requestId: RequestId }
  | { kind: 'conflict' };

/** Takes an idempotency key, or says what it was taken for. */
export async function claimIdempotencyKey(executor: Kysely<Tables>, input: ClaimKeyInput): Promise<ClaimKeyResult> {
  const { tenant, session, key, body, requestId } = input;
  const bodyHash = hashOf(body);
  // The update changes nothing; it makes the statement return the row that was there.
  const row = await executor
    .insertInto('idempotency')
    .values({ tenant, session_id: session, key, body_hash: bodyHash, request_id: requestId })
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'session_id', 'key']).doUpdateSet({ key: ({ ref }) => ref('excluded.key') }),
    )
    .returning(['body_hash', 'request_id', sql<boolean>`xmax = 0`.as('inserted')])
    .executeTakeFirstOrThrow();
  if (row.inserted) return { kind: 'new', requestId };
  return compare(row, bodyHash);
}

/** What a key was taken for, without taking it; `undefined` = it is free. */
export async function readIdempotencyKey(
  database: Database,
  { tenant, session, key, body }: Omit<ClaimKeyInput, 'requestId'>,
): Promise<Exclude<ClaimKeyResult, { kind: 'new' }> | undefined> {
  const row = await database
    .selectFrom('idempotency')
    .select(['body_hash', 'request_id'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('key', '=', key)
    .executeTakeFirst();
  return row && compare(row, hashOf(body));
}

function compare(row: { body_hash: Buffer; request_id: string }, bodyHash: Buffer) {
  if (!row.body_hash.equals(bodyHash)) return { kind: 'conflict' } as const;
  return { kind: 'repeated', requestId: row.request_id as RequestId } as const;
}

const hashOf = (body: string): Buffer => createHash('sha256').update(body).digest();

/** Forgets callers' keys older than 7 days; answers how many. */
export async function expireIdempotencyKeys(database: Database): Promise<number> {
  const result = await database
    .deleteFrom('idempotency')
    .where('key', '<>', sql.lit(CREATION_KEY))
    .where('created_at', '<', sql<Date>`clock_timestamp() - interval '7 days'`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
