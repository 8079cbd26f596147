import { isUnavailable } from '@everturn/core/postgres';
import { ProjectionError } from '../../projection/index.ts';

const FIRST_MS = 100;
const LAST_MS = 2_000;

export interface RetryInput<T> {
  attempt: () => Promise<T>;
  /** Asked after each failure; `true` throws it. */
  giveUp: (error: unknown) => boolean;
}

/** Repeats what fails while the database is away, with growing pauses. Throws at once what no repetition mends. */
export async function untilItWorks<T>({ attempt, giveUp }: RetryInput<T>): Promise<T> {
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 2, LAST_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAway(error) || giveUp(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Whether the database did not answer, as against having refused. */
export function isAway(error: unknown): boolean {
  return error instanceof ProjectionError ? error.code === 'PROJECTION_UNAVAILABLE' : isUnavailable(error);
}

/** Waits, or returns at once when the signal is raised. */
export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
