import { ApiError } from '../platform/errors/api-error.ts';

/** Reads one import at a time, in the order they came. */
export class OneAtATime {
  readonly #mostWaiting: number;
  #last: Promise<unknown> = Promise.resolve();
  #here = 0;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Throws `IMPORT_BUSY` when as many wait as may. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#here > this.#mostWaiting)
      throw new ApiError({
        code: 'IMPORT_BUSY',
        message: 'others are imported just now; nothing was accepted, try again',
      });
    this.#here += 1;
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    return mine.finally(() => (this.#here -= 1));
  }
}
