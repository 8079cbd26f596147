import type { RequestId } from './ids.ts';

/** How many request ids a session remembers. */
export const REQUEST_WINDOW = 200;

/** Recognises a request delivered twice (by update, then by signal) within the last {@link REQUEST_WINDOW}. */
export class RequestWindow {
  readonly #ids: Set<RequestId>;

  constructor(recent: readonly RequestId[] = []) {
    this.#ids = new Set(recent.slice(-REQUEST_WINDOW));
  }

  /** Remembers the id and tells whether it was there; a repetition does not make it younger. */
  admit(id: RequestId): 'new' | 'repeated' {
    if (this.#ids.has(id)) return 'repeated';
    this.#ids.add(id);
    if (this.#ids.size > REQUEST_WINDOW) {
      const [oldest] = this.#ids;
      if (oldest !== undefined) this.#ids.delete(oldest);
    }
    return 'new';
  }

  /** The remembered ids, oldest first, for the next run. */
  recent(): RequestId[] {
    return [...this.#ids];
  }
}
