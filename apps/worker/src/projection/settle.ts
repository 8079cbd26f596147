import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { CANCEL_GRACE_MS } from '../contract/index.ts';
import type { ClaimKey, SettleInput, SettleResult, Settlement } from '../contract/index.ts';
import { toRanges, toRecord } from './claim-answer.ts';
import type { ClaimAnswer } from './claim-answer.ts';
import { toAcks } from './commit.ts';
import type { CommitAnswer } from './commit.ts';
import { encodeCommit } from './encode-commit.ts';
import { asProjectionError } from './errors.ts';
import { requestCancel } from './leases.ts';
import type { Projection } from './projection.ts';

/** Twice a second, so that a lapsed lease is seen twice within the time one look counts. */
const POLL_MS = 500;

interface SettleAnswer {
  claims: Record<ClaimKey, ClaimAnswer>;
  commit: CommitAnswer;
}

/**
 * Closes claims for good: answers a recorded outcome, shuts a claim that was never taken, waits for a live holder or
 * takes over from it, and takes over from one that is gone. `signal` ends the waiting with its reason.
 */
export async function settle(
  projection: Projection,
  input: SettleInput,
  { signal }: { signal?: AbortSignal } = {},
): Promise<SettleResult> {
  const patience = await patienceFor(projection, input);
  for (;;) {
    const answer = await settleOnce(projection, { ...input, live: patience() });
    const settlements = toSettlements(answer.claims);
    if (settlements) return { acks: toAcks(answer.commit.acks), settlements };
    await pause(POLL_MS, undefined, { ...(signal && { signal }) });
  }
}

/** Whether a live holder is still waited for; one that was told to stop is, until the grace is over. */
async function patienceFor(projection: Projection, input: SettleInput): Promise<() => 'wait' | 'take-over'> {
  const { live } = input;
  if (live !== 'cancel') return () => live;
  await Promise.all(input.claims.map((claim) => requestCancel(projection, { ...input, claim })));
  const deadline = Date.now() + CANCEL_GRACE_MS;
  return () => (Date.now() < deadline ? 'wait' : 'take-over');
}

type SettleOnceInput = Omit<SettleInput, 'live'> & { live: 'wait' | 'take-over' };

async function settleOnce(projection: Projection, input: SettleOnceInput): Promise<SettleAnswer> {
  const { tenant, session, claims, live, commit } = input;
  const encoded = JSON.stringify({
    tenant,
    session,
    keys: claims,
    live,
    ...(commit && { commit: encodeCommit(input, commit) }),
  });
  return asProjectionError(async () => {
    const statement = sql<{ answer: SettleAnswer }>`call settle_claims_and_tell(${encoded}, null)`;
    return ((await statement.execute(projection.database)).rows[0] as { answer: SettleAnswer }).answer;
  });
}

function toSettlements(claims: Record<ClaimKey, ClaimAnswer>): Record<ClaimKey, Settlement> | undefined {
  const settlements: Record<ClaimKey, Settlement> = {};
  for (const [key, answer] of Object.entries(claims)) {
    const settlement = toSettlement(answer);
    if (!settlement) return undefined;
    settlements[key] = settlement;
  }
  return settlements;
}

function toSettlement(answer: ClaimAnswer): Settlement | undefined {
  switch (answer.kind) {
    case 'done':
      return { state: 'done', ...toRecord(answer) };
    case 'void':
      return { state: 'not-started' };
    case 'unknown':
      return { state: 'unknown', chunks: toRanges(answer.chunks) };
    default:
      return undefined;
  }
}
