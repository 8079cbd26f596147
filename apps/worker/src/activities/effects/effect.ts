import type { Ack, AuthoredEvent, JsonValue, SessionEvent } from '@everturn/core/domain';
import type { BeginEffectInput, EffectRecord, HeldClaim } from '../../projection/index.ts';

/** What performing an effect brought. */
export type Performance<Outcome> =
  | { kind: 'settled'; outcome: Outcome; events?: AuthoredEvent[]; chunks?: AuthoredEvent[] }
  /** It may run again elsewhere: the claim is left to lapse. */
  | { kind: 'relinquished' };

export interface PerformInput {
  held: HeldClaim;
  acks: Ack[];
  /** The rows asked for with `readFrom`. */
  rows: SessionEvent[];
  /** Its reason is an `EffectStopped`. */
  signal: AbortSignal;
}

/** One effect: what it is, how it is performed, and what is said when it cannot be. */
export interface Effect<Outcome extends JsonValue> extends BeginEffectInput {
  /** Performs it; throws only for infrastructure. */
  perform(input: PerformInput): Promise<Performance<Outcome>>;
  /** Whether the effect may run again after its holder vanished, or what is reported instead. */
  afterLapse: 'run-again' | (() => Outcome);
  /** What the ledger says of an outcome; absent = `done`. */
  stateOf?(outcome: Outcome): 'done' | 'unknown';
  /** What an attempt that comes after the claim was settled reports; nobody waits for it. */
  closed(settled: 'void' | 'unknown'): Outcome;
}

export interface EffectResult<Outcome> extends Omit<EffectRecord, 'outcome'> {
  acks: Ack[];
  outcome: Outcome;
}
