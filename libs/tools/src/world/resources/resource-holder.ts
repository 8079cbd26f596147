import type { SessionId } from '@everturn/core/domain';
import type { SessionResources } from '../../kit/index.ts';
import { ToolError } from '../../kit/index.ts';
import { ResourceShelf } from './resource-shelf.ts';
import { SessionCounters } from './session-counters.ts';

/** The live things of all sessions in this process. */
export class ResourceHolder {
  readonly #shelves = new Map<SessionId, ResourceShelf>();
  readonly #counters: SessionCounters;
  #disposing = false;

  /** `folder` keeps the numbers given to sessions over restarts; absent: nothing does. */
  constructor({ folder }: { folder?: string | undefined } = {}) {
    this.#counters = new SessionCounters(folder);
  }

  /** What one session holds here; costs nothing until it opens something. */
  of(session: SessionId): SessionResources {
    const shelf = () => this.#shelves.get(session);
    return {
      open: async (key, create) => this.#openShelf(session).open(key, create),
      find: (key) => shelf()?.find(key),
      has: (key) => shelf()?.has(key) ?? false,
      entries: (prefix) => shelf()?.entries(prefix) ?? [],
      next: (name) => this.#counters.next(session, name),
      given: (name) => this.#counters.given(session, name),
      close: async (key) => {
        const held = shelf();
        await held?.close(key);
        if (held?.isEmpty && shelf() === held) this.#shelves.delete(session);
      },
    };
  }

  /** Ends everything a session holds, and forgets the session; tries all, then throws what failed. */
  async release(session: SessionId): Promise<void> {
    this.#counters.forget(session);
    await this.#clear(session);
  }

  async #clear(session: SessionId): Promise<void> {
    const shelf = this.#shelves.get(session);
    this.#shelves.delete(session);
    await shelf?.clear();
  }

  /** Ends everything; afterwards nothing can be opened. Tries all, then throws what failed. */
  async dispose(): Promise<void> {
    this.#disposing = true;
    const ended = await Promise.allSettled([...this.#shelves.keys()].map((session) => this.#clear(session)));
    const failed = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (failed.length > 0) throw new AggregateError(failed, 'what sessions held could not all be ended');
  }

  #openShelf(session: SessionId): ResourceShelf {
    if (this.#disposing) throw new ToolError('SERVICE_DISPOSING', 'this worker is stopping and opens nothing any more');
    const shelf = this.#shelves.get(session) ?? new ResourceShelf();
    this.#shelves.set(session, shelf);
    return shelf;
  }
}
