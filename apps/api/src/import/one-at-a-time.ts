import { Injectable } from '@nestjs/common';
import { ApiError } from '../platform/errors/api-error.ts';

/** Imports that may wait for the one that is read; each holds what it was sent. */
export const MOST_WAITING = 4;

/** A place in the line. It is held until whoever has it has left and what they brought is done with. */
export interface Place {
  /** Works when it is one's turn. */
  run<T>(work: () => Promise<T>): Promise<T>;
  leave(): void;
}

/** Reads one import at a time, in the order they are read. */
@Injectable()
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();
  #here = 0;

  /** Throws `IMPORT_BUSY` when as many wait as may. */
  enter(): Place {
    if (this.#here > MOST_WAITING)
      throw new ApiError({
        code: 'IMPORT_BUSY',
        message: 'others are imported just now; nothing was accepted, try again',
      });
    let holds = 0;
    const hold = (): void => {
      if (holds === 0) this.#here += 1;
      holds += 1;
    };
    const release = (): void => {
      holds -= 1;
      if (holds === 0) this.#here -= 1;
    };
    hold();
    return {
      run: (work) => {
        hold();
        const mine = this.#last.then(work).finally(release);
        this.#last = mine.catch(() => {});
        return mine;
      },
      leave: release,
    };
  }
}
