import { ApplicationFailure } from '@temporalio/common';
import type { JsonValue } from '@everturn/core/domain';
import type { Begun, HeldClaim } from '../../projection/index.ts';
import type { Effect, EffectResult, Performance } from './effect.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Ledger } from './ledger.ts';
import { untilItWorks } from './retry.ts';
import { isLoss, stopReason, type StopReason } from './running-effect.ts';

export interface PerformHeldInput<Outcome extends JsonValue> {
  ledger: Ledger;
  leases: LeaseKeeper;
  effect: Effect<Outcome>;
  begun: Extract<Begun, { held: HeldClaim }>;
  signal: AbortSignal;
  stop: (reason: StopReason) => void;
}

/** Performs an effect under its lease and records the outcome; a lost lease drops it. */
export async function performHeld<Outcome extends JsonValue>(
  input: PerformHeldInput<Outcome>,
): Promise<EffectResult<JsonValue>> {
  const { ledger, begun, signal } = input;
  const release = input.leases.hold(begun.held, input.stop);
  try {
    const performed = await performOrReport(input);
    if (stopReason(signal) === 'lost') throw lost();
    if (performed.kind === 'relinquished') throw relinquished();
    const { outcome, events = [], chunks = [] } = performed;
    const settleAs = input.effect.stateOf?.(outcome) ?? 'done';
    const finished = await untilItWorks({
      attempt: () => ledger.finish({ held: begun.held, outcome, settleAs, events, chunks }),
      giveUp: () => stopReason(signal) === 'lost',
    });
    if (finished.kind === 'lost') throw lost();
    return { acks: begun.acks, outcome: finished.outcome, written: finished.written, chunks: finished.chunks };
  } catch (error) {
    throw isLoss(error) ? lost() : error;
  } finally {
    release();
  }
}

async function performOrReport<Outcome extends JsonValue>({
  effect,
  begun,
  signal,
}: PerformHeldInput<Outcome>): Promise<Performance<Outcome>> {
  if (begun.state === 'taken-over' && effect.afterLapse !== 'run-again') {
    return { kind: 'settled', outcome: effect.afterLapse() };
  }
  return effect.perform({ held: begun.held, acks: begun.acks, rows: begun.rows, signal });
}

/** The next attempt finds out from the claim what its new owner did. */
function lost(): ApplicationFailure {
  return ApplicationFailure.retryable('another attempt took the effect over; its outcome counts', 'CLAIM_LOST');
}

function relinquished(): ApplicationFailure {
  return ApplicationFailure.retryable('the worker shut down; the call runs again on another', 'WORKER_SHUTDOWN');
}
