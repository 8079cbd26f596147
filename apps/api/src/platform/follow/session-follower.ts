import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseOutage } from '../errors/from-database.ts';
import { frame } from '../sse/frame.ts';
import type { SseStream } from '../sse/sse-stream.ts';
import { wants, type EventFilter } from './event-filter.ts';
import { changedNotifications, currentNotifications, type LiveNotification } from './live-notifications.ts';
import type { LogSource } from './log-source.ts';
import type { SessionTail } from './session-tail.ts';
import type { SessionView } from '@everturn/core/postgres';
import type { LogRow } from './tail-ring.ts';
import { Wake } from './wake.ts';

const PAGE_ROWS = 200;
const OUTAGE_PAUSE_MS = 500;

interface SessionFollowerInput {
  tail: SessionTail;
  source: LogSource;
  stream: SseStream;
  /** The seq the reader has already; -1 = nothing. */
  after: number;
  filter: EventFilter;
}

/**
 * One reader of one log. It registers first, then reads stored rows up to the end its tail knew, then goes on from
 * memory; a cursor over dense numbers is all its state, so that it neither misses nor repeats an event.
 */
export class SessionFollower {
  readonly #input: SessionFollowerInput;
  readonly #wake = new Wake();
  #cursor: number;
  #told: SessionView | undefined;

  constructor(input: SessionFollowerInput) {
    this.#input = input;
    this.#cursor = input.after;
  }

  /** Resolves when the stream is closed, by either side. */
  async run(): Promise<void> {
    const { tail, stream } = this.#input;
    tail.join(this.#wake);
    void stream.gone.then(() => this.#wake.ring());
    try {
      while (stream.open) {
        await this.#catchUp();
        await this.#tellState();
        await this.#wake.next();
      }
    } finally {
      tail.leave(this.#wake);
    }
  }

  async #catchUp(): Promise<void> {
    const { tail, stream } = this.#input;
    const ring = await throughOutages(() => tail.ring(), stream);
    await this.#tellState();
    while (stream.open && ring && this.#cursor < ring.head) {
      const rows = ring.after(this.#cursor);
      if (rows) await this.#send(rows.slice(0, PAGE_ROWS));
      else await this.#sendStored(ring.base);
    }
  }

  /** Rows that left memory, or were there before this process followed the log. */
  async #sendStored(through: number): Promise<void> {
    const { source, stream, tail, filter } = this.#input;
    const range = { ...tail.key, after: this.#cursor, through, limit: PAGE_ROWS, ...filter };
    const page = await throughOutages(() => source.rows(range), stream);
    if (!page) return;
    await this.#send(page.rows);
    if (page.rest === 'none') this.#cursor = Math.max(this.#cursor, through);
  }

  async #send(rows: readonly LogRow[]): Promise<void> {
    const last = rows.at(-1);
    if (!last) return;
    const wanted = rows.filter((row) => wants(this.#input.filter, row));
    const frames = wanted.map(({ seq, type, json }) => frame({ id: String(seq), event: type, json }));
    if (frames.length > 0) await this.#input.stream.write(frames.join(''), String(wanted.at(-1)?.seq));
    this.#cursor = last.seq;
  }

  async #tellState(): Promise<void> {
    const view = this.#input.tail.view;
    if (!view || view === this.#told) return;
    const notifications = this.#told ? changedNotifications(this.#told, view) : currentNotifications(view);
    this.#told = view;
    if (notifications.length > 0) await this.#input.stream.write(notifications.map(render).join(''));
  }
}

function render({ kind, data }: LiveNotification): string {
  return frame({ event: kind, json: JSON.stringify(data) });
}

/** Asks again while the database is away and the reader still there; `undefined` once the reader is gone. */
export async function throughOutages<T>(ask: () => Promise<T>, stream: SseStream): Promise<T | undefined> {
  while (stream.open) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
      await pause(OUTAGE_PAUSE_MS);
    }
  }
  return undefined;
}
