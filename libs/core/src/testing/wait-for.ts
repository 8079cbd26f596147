import { setTimeout as pause } from 'node:timers/promises';
import { TestingError } from './testing-error.ts';

/** How long to wait for what; `what` completes the sentence "still waiting for …". */
export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

type Unmet = undefined | null | false;

/**
 * Asks until the condition answers something other than undefined, null or false, and returns that.
 * A condition that throws is asked again; its last error becomes the cause of the timeout.
 */
export async function waitFor<T>(
  condition: () => Promise<T | Unmet> | T | Unmet,
  { what, timeoutMs = 30_000, everyMs = 25 }: WaitOptions,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const outcome = await ask(condition);
    if ('met' in outcome) return outcome.met;
    if (Date.now() >= deadline) {
      throw new TestingError(
        'TESTING_TIMEOUT',
        `still waiting for ${what} after ${timeoutMs} ms`,
        'look at the cause and the logs of the processes involved',
        outcome.error,
      );
    }
    await pause(everyMs);
  }
}

async function ask<T>(condition: () => Promise<T | Unmet> | T | Unmet): Promise<{ met: T } | { error: unknown }> {
  try {
    const answer = await condition();
    return answer === undefined || answer === null || answer === false ? { error: undefined } : { met: answer };
  } catch (error) {
    return { error };
  }
}
