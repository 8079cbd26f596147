import type { PlannedCall } from './plan-tool-batch.ts';

export interface PlanSubCallsInput {
  /** Those of a program that are not committed, in the order it made them. */
  calls: readonly PlannedCall[];
  /** Bodies in flight at most, ≥ 1. */
  maxParallel: number;
}

/**
 * Which calls of a program start now, as indices in order. An exclusive call is a barrier as in a batch: it starts when
 * nothing before it is left, and nothing after it starts before it is committed. Unlike in a batch, a finished call is
 * committed whatever still runs before it, since the program may wait for it alone.
 */
export function planSubCalls({ calls, maxParallel }: PlanSubCallsInput): number[] {
  const barrier = calls.findIndex(({ concurrency }) => concurrency === 'exclusive');
  if (barrier === 0) return calls[0]?.state === 'waiting' ? [0] : [];
  const group = calls.slice(0, barrier < 0 ? calls.length : barrier);
  const running = group.filter(({ state }) => state === 'running').length;
  const waiting = group.flatMap(({ state }, index) => (state === 'waiting' ? [index] : []));
  return waiting.slice(0, Math.max(0, maxParallel - running));
}
