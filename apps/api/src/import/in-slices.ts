import { setImmediate as nextTurn } from 'node:timers/promises';

/** Does long work a slice at a time, so that other requests are served between. */
export async function inSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
