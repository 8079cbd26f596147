import { Context } from '@temporalio/activity';
import { assertNever, type Ack, type JsonValue } from '@everturn/core/domain';
import type { ClaimKey, SessionRef } from '../../contract/index.ts';
import type { Begun, HeldClaim } from '../../projection/index.ts';
import { Attempt } from './attempt.ts';
import type { Effect, EffectResult } from './effect.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Ledger } from './ledger.ts';
import { performHeld } from './perform-held.ts';
import { pauseFor } from './retry.ts';
import { RunningEffect, stopReason, type StopReason } from './running-effect.ts';

type Running = RunningEffect<EffectResult<JsonValue>>;
type Found = { kind: 'running'; running: Running } | { kind: 'settled'; result: EffectResult<JsonValue> };

/** Who waits while somebody else has the claim. */
type Waiter = Pick<Attempt, 'throwIfGone' | 'cancelRequested' | 'pause'>;

const POLL_MS = 250;

/** Performs effects at most once, however many attempts ask for them; one per process. */
export class EffectRunner {
  readonly #ledger: Ledger;
  readonly #leases: LeaseKeeper;
  readonly #running = new Map<string, Running>();

  constructor(input: { ledger: Ledger }) {
    this.#ledger = input.ledger;
    this.#leases = new LeaseKeeper(input);
  }

  /** Performs the effect or finds out what became of it; must be called inside an activity. */
  async run<Outcome extends JsonValue>(effect: Effect<Outcome>): Promise<EffectResult<Outcome>> {
    const attempt = new Attempt(Context.current());
    try {
      const found = this.#join(effect) ?? (await this.#begin(effect, attempt));
      const result = found.kind === 'settled' ? found.result : await attempt.waitFor(found.running);
      return result as EffectResult<Outcome>;
    } finally {
      attempt.end();
    }
  }

  /** Performs an effect of one that runs here: it outlives attempts as that does, and ends by its signal. */
  async runWithin<Outcome extends JsonValue>(effect: Effect<Outcome>, signal: AbortSignal): Promise<Outcome> {
    const waiter: Waiter = {
      throwIfGone: () => signal.throwIfAborted(),
      cancelRequested: false,
      pause: (ms) => pauseFor(ms, signal),
    };
    const found = this.#join(effect) ?? (await this.#begin(effect, waiter));
    if (found.kind === 'settled') return found.result.outcome as Outcome;
    const pass = () => found.running.stop(stopReason(signal) ?? 'cancelled');
    signal.addEventListener('abort', pass, { once: true });
    if (signal.aborted) pass();
    try {
      return (await found.running.result).outcome as Outcome;
    } finally {
      signal.removeEventListener('abort', pass);
    }
  }

  /** Raises the signal of everything that runs. */
  stopAll(reason: StopReason): void {
    for (const effect of this.#running.values()) effect.stop(reason);
  }

  /** Raises the signal of one effect; `false` when it does not run here. */
  stop(effect: SessionRef & { claim: ClaimKey }, reason: StopReason): boolean {
    const running = this.#running.get(keyOf(effect));
    running?.stop(reason);
    return running !== undefined;
  }

  /** Resolves when nothing runs any more. */
  async quiet(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.allSettled([...this.#running.values()].map(({ result }) => result));
    }
  }

  #join(effect: SessionRef & { claim: ClaimKey }): Found | undefined {
    const running = this.#running.get(keyOf(effect));
    return running && { kind: 'running', running };
  }

  async #begin<Outcome extends JsonValue>(effect: Effect<Outcome>, attempt: Waiter): Promise<Found> {
    let cancel: 'unwritten' | 'written' = 'unwritten';
    for (;;) {
      attempt.throwIfGone();
      const begun = await this.#ledger.begin(effect);
      switch (begun.state) {
        case 'done':
          return { kind: 'settled', result: begun };
        case 'closed':
          return settledResult(begun.acks, effect.closed(begun.settled));
        case 'granted':
        case 'taken-over':
          return this.#start(effect, begun);
        case 'live': {
          // Another attempt of this process may have begun while this one asked.
          const joined = this.#join(effect);
          if (joined) return joined;
          if (attempt.cancelRequested && cancel === 'unwritten') {
            await this.#ledger.requestCancel(effect);
            cancel = 'written';
          }
          await attempt.pause(POLL_MS);
          break;
        }
        default:
          return assertNever(begun, 'claim state');
      }
    }
  }

  #start<Outcome extends JsonValue>(effect: Effect<Outcome>, begun: Extract<Begun, { held: HeldClaim }>): Found {
    const key = keyOf(effect);
    const running: Running = new RunningEffect(async ({ signal, stop }) => {
      try {
        return await performHeld({ ledger: this.#ledger, leases: this.#leases, effect, begun, signal, stop });
      } finally {
        if (this.#running.get(key) === running) this.#running.delete(key);
      }
    });
    this.#running.set(key, running);
    return { kind: 'running', running };
  }
}

const settledResult = (acks: Ack[], outcome: JsonValue): Found => ({
  kind: 'settled',
  result: { acks, outcome, written: [], chunks: [] },
});

const keyOf = ({ tenant, session, generation, claim }: SessionRef & { claim: ClaimKey }): string =>
  JSON.stringify([tenant, session, generation, claim]);
