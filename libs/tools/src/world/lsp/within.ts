import { setTimeout as sleep } from 'node:timers/promises';

/** Something took longer than it may. */
export class Overdue extends Error {
  override name = 'Overdue';
}

/** What a promise brings, or {@link Overdue} when that takes more than `ms`. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const limit = sleep(ms, undefined, { signal: settled.signal }).then(() => {
    throw new Overdue(`not within ${ms} ms`);
  });
  limit.catch(() => undefined); // when it is called off
  try {
    return await Promise.race([promise, limit]);
  } finally {
    settled.abort();
  }
}
