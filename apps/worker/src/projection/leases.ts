import { sql } from 'kysely';
import type { ClaimKey, SessionRef } from '../contract/index.ts';
import type { HeldClaim } from './begin-effect.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

/** A lease lasts this long by the database's clock. */
export const LEASE_MS = 3_000;

/** Extends leases of this process, all in one statement; a claim missing from the answer is lost. */
export async function renewLeases<Held extends HeldClaim>(
  projection: Projection,
  held: readonly Held[],
): Promise<Map<Held, 'held' | 'cancel-requested'>> {
  if (held.length === 0) return new Map();
  const encoded = JSON.stringify(held.map(({ session, claim, epoch }) => ({ session, key: claim, epoch })));
  const rows = await asProjectionError(async () => {
    const statement = sql<{ session_id: string; key: string; cancel_cause: string | null }>`
      select session_id, key, cancel_cause from renew_leases(${projection.owner}, ${encoded})`;
    return (await statement.execute(projection.database)).rows;
  });
  const answers = new Map(rows.map((row) => [`${row.session_id}/${row.key}`, row.cancel_cause]));
  const renewed = new Map<Held, 'held' | 'cancel-requested'>();
  for (const claim of held) {
    const cause = answers.get(`${claim.session}/${claim.claim}`);
    if (cause !== undefined) renewed.set(claim, cause === null ? 'held' : 'cancel-requested');
  }
  return renewed;
}

/** Asks whoever holds the claim to stop; they hear of it when they renew. */
export async function requestCancel(
  projection: Projection,
  { tenant, session, claim }: SessionRef & { claim: ClaimKey },
): Promise<void> {
  await asProjectionError(() =>
    projection.database
      .updateTable('claims')
      .set({ cancel_cause: 'cancelled' })
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('key', '=', claim)
      .where('state', '=', 'claimed')
      .execute(),
  );
}
