import { setTimeout as pause } from 'node:timers/promises';

/** Asks until the answer is not undefined or the time is over; the last resort where nothing announces a change. */
export async function poll<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  timeoutMs: number,
  everyMs = 50,
): Promise<T | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || Date.now() >= deadline) return answer;
    await pause(everyMs);
  }
}
