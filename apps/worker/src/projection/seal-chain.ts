import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { canonicalJson } from '@everturn/core/domain';
import type { Tables, TurnSeal } from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

type SessionKey = Pick<SessionRef, 'tenant' | 'session'>;

/** What the first turn's seal follows. */
export const NO_SEAL: Buffer = Buffer.alloc(32);

export interface HashRowsInput extends SessionKey {
  from: number;
  to: number;
  previous: Buffer;
}

/** The hash over the non-chunk rows of a range and the hash before it. */
export async function hashRows(
  executor: Kysely<Tables>,
  { tenant, session, from, to, previous }: HashRowsInput,
): Promise<{ hash: Buffer; rowCount: number }> {
  const hash = createHash('sha256').update(previous);
  // Rows may have a megabyte each.
  const page = 100;
  let rowCount = 0;
  for (let next = from; next <= to;) {
    const rows = await executor
      .selectFrom('session_events')
      .select([
        'seq',
        'eid',
        'type',
        'time',
        'stamped_time',
        'turn',
        'step',
        'surface_op',
        'replace_start',
        'replace_end',
        'source_ranges',
        'data',
      ])
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('seq', '>=', next)
      .where('seq', '<=', to)
      .where('type', '<>', 'assistant/chunk')
      .orderBy('seq')
      .limit(page)
      .execute();
    for (const { data, ...row } of rows) hash.update(canonicalJson(row)).update('\n').update(data).update('\n');
    rowCount += rows.length;
    if (rows.length < page) break;
    next = (rows.at(-1)?.seq ?? to) + 1;
  }
  return { hash: hash.digest(), rowCount };
}

/** The seals whose rows no longer have the hash they had, or that do not follow one another. */
export async function brokenSeals(
  projection: Projection,
  key: SessionKey,
  seals: readonly TurnSeal[],
  progress?: () => void,
): Promise<TurnSeal[]> {
  const broken: TurnSeal[] = [];
  let previous = NO_SEAL;
  for (const seal of seals) {
    progress?.();
    const input = { ...key, from: seal.fromSeq, to: seal.toSeq, previous };
    const { hash, rowCount } = await asProjectionError(() => hashRows(projection.database, input));
    if (!hash.equals(seal.hash) || !previous.equals(seal.previous) || rowCount !== seal.rowCount) broken.push(seal);
    previous = seal.hash;
  }
  return broken;
}
