import { sql } from 'kysely';
import { canonicalJson } from '@everturn/core/domain';
import type { AuthoredEvent, JsonValue } from '@everturn/core/domain';
import type { HeldClaim } from './begin-effect.ts';
import { toRecord } from './claim-answer.ts';
import type { ClaimAnswer, EffectRecord } from './claim-answer.ts';
import { encodeEvent } from './encode-event.ts';
import { asProjectionError, ProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

export interface FinishEffectInput {
  held: HeldClaim;
  outcome: JsonValue;
  /** `unknown`: the outcome says no more than that the effect may have happened. */
  settleAs?: 'done' | 'unknown';
  /** Written in the same transaction, after the last chunks, which they may name among their sources. */
  events?: readonly AuthoredEvent[];
  chunks?: readonly AuthoredEvent[];
}
export type FinishEffectResult =
  | ({ kind: 'finished' } & EffectRecord)
  /** Somebody took the claim over; nothing was written. */
  | { kind: 'lost' };

/** Closes a claim with its outcome, writes the events that belong to it and tells readers: one round trip, safe to repeat. */
export async function finishEffect(projection: Projection, input: FinishEffectInput): Promise<FinishEffectResult> {
  const { held, outcome, settleAs = 'done', events = [], chunks = [] } = input;
  const encoded = JSON.stringify({
    tenant: held.tenant,
    session: held.session,
    generation: held.generation,
    key: held.claim,
    owner: projection.owner,
    epoch: held.epoch,
    outcome: canonicalJson(outcome),
    settleAs,
    events: events.map(encodeEvent),
    chunks: chunks.map(encodeEvent),
    written: canonicalJson(events),
  });
  try {
    const answer = await asProjectionError(async () => {
      const statement = sql<{ answer: ClaimAnswer }>`call finish_effect_and_tell(${encoded}, null)`;
      return ((await statement.execute(projection.database)).rows[0] as { answer: ClaimAnswer }).answer;
    });
    return { kind: 'finished', ...toRecord(answer) };
  } catch (error) {
    if (error instanceof ProjectionError && error.code === 'CLAIM_LOST') return { kind: 'lost' };
    throw error;
  }
}
