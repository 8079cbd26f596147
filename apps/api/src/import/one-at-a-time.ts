import { Injectable } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { ApiError } from '../platform/errors/api-error.ts';

/** Imports that may wait for the one that is read; each holds what it was sent. */
export const MOST_WAITING = 4;
/** Whose body has not come by then makes room for whoever would be sent away. */
export const PATIENCE_MS = 20_000;

/** Who asks for a place. */
export interface Visitor {
  tenant: TenantId;
  /** Called when its place is given to another. */
  sendAway(because: ApiError): void;
}

/** A place in the line. It is held until whoever has it has left and what they brought is done with. */
export interface Place {
  /** Works when it is one's turn; throws `IMPORT_BUSY` when the place is no longer one's own. */
  run<T>(work: () => Promise<T>): Promise<T>;
  leave(): void;
}

interface Held extends Visitor {
  since: number;
  /** What it brings is there. */
  came: boolean;
}

/** Reads one import at a time, in the order they are read. Nobody fills the line alone: a tenant has one place in it. */
@Injectable()
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();
  readonly #here = new Set<Held>();

  /** Throws `IMPORT_BUSY` when as many wait as may, or one of the same tenant. */
  enter(visitor: Visitor, now = performance.now()): Place {
    this.#makeRoom(visitor.tenant, now);
    const held: Held = { ...visitor, since: now, came: false };
    this.#here.add(held);
    let holds = 1;
    const release = (): void => {
      holds -= 1;
      if (holds === 0) this.#here.delete(held);
    };
    return {
      run: async (work) => {
        if (!this.#here.has(held)) throw busy('others were faster');
        held.came = true;
        holds += 1;
        const mine = this.#last.then(work).finally(release);
        this.#last = mine.catch(() => {});
        return mine;
      },
      leave: release,
    };
  }

  #makeRoom(tenant: TenantId, now: number): void {
    const all = [...this.#here];
    const own = all.filter((held) => held.tenant === tenant);
    if (own.length === 0 && all.length <= MOST_WAITING) return;
    const late = (own.length > 0 ? own : all).find(({ came, since }) => !came && now - since >= PATIENCE_MS);
    if (!late) throw busy(own.length > 0 ? 'you import another one just now' : 'others are imported just now');
    this.#here.delete(late);
    late.sendAway(busy('what you send took too long while others wait'));
  }
}

const busy = (why: string) => new ApiError({ code: 'IMPORT_BUSY', message: `${why}; nothing was accepted, try again` });
