import type { LogSource, SessionKey } from './log-source.ts';
import type { SessionView } from '@everturn/core/postgres';
import { TailRing } from './tail-ring.ts';
import type { Wake } from './wake.ts';

interface SessionTailInput {
  key: SessionKey;
  source: LogSource;
  /** Told when the database could not be read; the next notification or poll tries again. */
  onError: (error: unknown) => void;
}

/** Rows read at once; a refresh goes on until it has caught up. */
const PAGE_ROWS = 500;

/**
 * The live end of one session's log, shared by its readers in this process: however many there are, each new row is
 * read once. Commits are serialised per session, so rows become visible in order of seq and a cursor is all it takes.
 */
export class SessionTail {
  readonly key: SessionKey;
  readonly #source: LogSource;
  readonly #onError: (error: unknown) => void;
  readonly #wakes = new Set<Wake>();
  #ring: TailRing | undefined;
  #view: SessionView | undefined;
  #refreshing: Promise<boolean> | undefined;
  #stale = false;

  constructor({ key, source, onError }: SessionTailInput) {
    this.key = key;
    this.#source = source;
    this.#onError = onError;
  }

  get readers(): number {
    return this.#wakes.size;
  }

  /** The newest seq this process knows of. */
  get head(): number {
    return this.#ring?.head ?? -1;
  }

  /** The rows beside the log as they were last read. */
  get view(): SessionView | undefined {
    return this.#view;
  }

  join(wake: Wake): void {
    this.#wakes.add(wake);
  }

  leave(wake: Wake): void {
    this.#wakes.delete(wake);
  }

  /** The ring; the first call fixes the cut-off above which rows come from memory. */
  async ring(): Promise<TailRing> {
    if (!this.#ring) {
      const [head, view] = await Promise.all([this.#source.head(this.key), this.#source.view(this.key)]);
      this.#ring ??= new TailRing(head);
      this.#view ??= view;
      // What was committed between the two reads and the first notification is picked up here.
      void this.refresh();
    }
    return this.#ring;
  }

  /**
   * Reads what is new and wakes the readers; calls during a refresh are answered by one more. Never throws; answers
   * whether everything was read.
   */
  refresh(): Promise<boolean> {
    this.#stale = true;
    this.#refreshing ??= this.#catchUp().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #catchUp(): Promise<boolean> {
    if (!this.#ring) return false;
    try {
      while (this.#stale) {
        this.#stale = false;
        await this.#readPage(this.#ring);
      }
      return true;
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  async #readPage(ring: TailRing): Promise<void> {
    const { rows, rest } = await this.#source.rows({ ...this.key, after: ring.head, limit: PAGE_ROWS });
    if (rest === 'maybe') this.#stale = true;
    ring.push(rows);
    // Deltas change nothing beside the log; anything else, and a notification without rows, may have.
    if (rows.some((row) => row.type !== 'assistant/chunk') || rows.length === 0) {
      this.#view = await this.#source.view(this.key);
    }
    for (const wake of this.#wakes) wake.ring();
  }
}
