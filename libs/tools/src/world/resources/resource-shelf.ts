import { ToolError, type SessionResource } from '../../kit/index.ts';

interface Entry {
  /** Raised when the session ends before the thing is made. */
  readonly ending: AbortController;
  readonly made: Promise<SessionResource>;
  resource?: SessionResource;
  closing?: Promise<void>;
}

/** The live things of one session. */
export class ResourceShelf {
  readonly #entries = new Map<string, Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  async open<R extends SessionResource>(key: string, create: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const known = this.#entries.get(key);
    if (known?.closing) await known.closing.catch(() => undefined);
    const entry = (known?.closing ? undefined : known) ?? this.#enter(key, create);
    return (await entry.made) as R;
  }

  find(key: string): SessionResource | undefined {
    return this.#entries.get(key)?.resource;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  entries(prefix: string): (readonly [string, SessionResource])[] {
    return [...this.#entries].flatMap(([key, { resource }]) =>
      resource && key.startsWith(prefix) ? [[key, resource] as const] : [],
    );
  }

  async close(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry) await (entry.closing ??= this.#end(key, entry));
  }

  /** Ends everything; tries all, then throws what failed. */
  async clear(): Promise<void> {
    const ended = await Promise.allSettled([...this.#entries.keys()].map((key) => this.close(key)));
    const failed = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (failed.length > 0) throw new AggregateError(failed, 'what the session held could not all be ended');
  }

  #enter(key: string, create: (signal: AbortSignal) => Promise<SessionResource>): Entry {
    const ending = new AbortController();
    const entry: Entry = { ending, made: this.#make(key, ending.signal, create) };
    this.#entries.set(key, entry);
    return entry;
  }

  async #make(
    key: string,
    signal: AbortSignal,
    create: (signal: AbortSignal) => Promise<SessionResource>,
  ): Promise<SessionResource> {
    await Promise.resolve(); // the entry is there before anything can fail
    const entry = this.#entries.get(key);
    try {
      const resource = await create(signal);
      if (signal.aborted) {
        await resource.dispose();
        throw new ToolError('OWNER_NOT_LIVE', 'the session ended while this was being opened; it was closed again');
      }
      if (entry) entry.resource = resource;
      return resource;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  async #end(key: string, entry: Entry): Promise<void> {
    entry.ending.abort();
    try {
      // What is not made yet sees the signal, and is ended by its maker if it comes all the same.
      if (entry.resource) await entry.resource.dispose();
      else await entry.made.catch(() => undefined);
    } finally {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }
}
