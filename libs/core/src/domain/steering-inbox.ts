import type { RequestId } from './ids.ts';
import type { MessageEntry } from './message-entry.ts';

/** What a turn hands to its next run, or reports when it ends. */
export interface SteeringState {
  unread: MessageEntry[];
  consumed: RequestId[];
  discarded: RequestId[];
}

/** A turn's end of steering: hints arrive here, possibly twice or not at all, and are reported once read or dropped. */
export class SteeringInbox {
  #unread: MessageEntry[];
  readonly #consumed: RequestId[];
  readonly #discarded: RequestId[];
  readonly #known: Set<RequestId>;

  constructor({ unread = [], consumed = [], discarded = [] }: Partial<SteeringState> = {}) {
    this.#unread = [...unread];
    this.#consumed = [...consumed];
    this.#discarded = [...discarded];
    this.#known = new Set([...unread.map(({ requestId }) => requestId), ...consumed, ...discarded]);
  }

  /** Takes an entry once; a repeated delivery changes nothing. */
  push(entry: MessageEntry): void {
    if (this.#known.has(entry.requestId)) return;
    this.#known.add(entry.requestId);
    this.#unread.push(entry);
  }

  /** How many entries wait. */
  get waiting(): number {
    return this.#unread.length;
  }

  /** Takes everything that waits, in order; the caller must write it to the log. */
  drain(): MessageEntry[] {
    const entries = this.#unread;
    this.#unread = [];
    this.#consumed.push(...entries.map(({ requestId }) => requestId));
    return entries;
  }

  /** Drops everything that waits, after a terminal stop or a cancel. */
  discard(): MessageEntry[] {
    const entries = this.#unread;
    this.#unread = [];
    this.#discarded.push(...entries.map(({ requestId }) => requestId));
    return entries;
  }

  /** What was read, what was dropped, and what neither. */
  state(): SteeringState {
    return { unread: [...this.#unread], consumed: [...this.#consumed], discarded: [...this.#discarded] };
  }
}
