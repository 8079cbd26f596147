import type { InterceptInput } from '../../contract/index.ts';
import { PluginError, traitsOf } from '../../plugins/index.ts';

export interface BoundAskingInput {
  ask: Pick<InterceptInput, 'interception' | 'within'>;
  /** As the registry gives them. */
  listeners: readonly object[];
  /** The effect's own. */
  signal: AbortSignal;
  /** ms for a listener that names no time of its own. */
  defaultMs: number;
}

/** A bounded time for the listeners of one question: one that hangs must not keep its session waiting for ever. */
export interface BoundAsking {
  /** Raised with the effect's, and when the time is over. */
  readonly signal: AbortSignal;
  /** What they answer; throws `PLUGIN_TIMEOUT` when the time is over before they do. */
  race<T>(asked: Promise<T>): Promise<T>;
  end(): void;
}

/** Begins the time, which is what the listeners may take together. */
export function boundAsking({ ask, listeners, signal, defaultMs }: BoundAskingInput): BoundAsking {
  const together = listeners.reduce((sum, listener) => sum + (traitsOf(listener).limitMs ?? defaultMs), 0);
  const limitMs = Math.min(together, ask.within ?? Infinity, LONGEST_MS);
  const over = new AbortController();
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => undefined); // they may have answered
  const timer = setTimeout(() => {
    const error = new PluginError(
      'PLUGIN_TIMEOUT',
      `the listeners of ${ask.interception.point} did not answer within ${limitMs} ms`,
    );
    over.abort(error);
    late.reject(error);
  }, limitMs);
  return {
    signal: AbortSignal.any([signal, over.signal]),
    race: (asked) => Promise.race([asked, late.promise]),
    end: () => clearTimeout(timer),
  };
}

/** What a timer can hold. */
const LONGEST_MS = 2_147_483_647;
