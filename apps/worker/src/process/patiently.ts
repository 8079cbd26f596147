import type { Logger } from 'pino';
import { describeFailure } from '../activities/failure.ts';

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 5_000;

export interface PatientInput<T> {
  what: string;
  attempt: () => Promise<T>;
  log: Logger;
  /** Ends the waiting; its reason is thrown. */
  signal: AbortSignal;
  /** Errors that waiting does not mend. */
  isFinal?: (error: unknown) => boolean;
}

/** Tries until it works, saying every so often what it waits for: servers may come up after us. */
export async function patiently<T>({ what, attempt, log, signal, isFinal }: PatientInput<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (isFinal?.(error)) throw error;
      log.warn({ reason: describeFailure(error), retryInMs: pause }, `waiting for ${what}`);
      await sleep(pause, signal);
    }
  }
}

/** Waits; a raised signal ends the wait, and is for the caller to look at. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const end = () => resolve();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) resolve();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
}
