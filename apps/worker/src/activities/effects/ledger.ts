import type { ClaimKey, SessionRef } from '../../contract/index.ts';
import {
  beginEffect,
  finishEffect,
  renewLeases,
  requestCancel,
  type BeginEffectInput,
  type Begun,
  type FinishEffectInput,
  type FinishEffectResult,
  type HeldClaim,
  type Projection,
} from '../../projection/index.ts';

/** The effects ledger as activities use it. A database that is away is thrown; refusals of a claim are answers. */
export interface Ledger {
  /** Commits, then takes the claim or says who has it; throws what the log refuses. */
  begin(input: BeginEffectInput): Promise<Begun>;
  /** Extends leases of this process; a claim missing from the answer is lost. */
  renew(held: readonly HeldClaim[]): Promise<ReadonlyMap<HeldClaim, 'held' | 'cancel-requested'>>;
  /** Closes the claim with its outcome and writes what belongs to it; safe to repeat. */
  finish(input: FinishEffectInput): Promise<FinishEffectResult>;
  /** Asks the holder to stop. */
  requestCancel(input: SessionRef & { claim: ClaimKey }): Promise<void>;
}

/** The ledger in Postgres. */
export function projectionLedger(projection: Projection): Ledger {
  return {
    begin: (input) => beginEffect(projection, input),
    renew: (held) => renewLeases(projection, held),
    finish: (input) => finishEffect(projection, input),
    requestCancel: (input) => requestCancel(projection, input),
  };
}
