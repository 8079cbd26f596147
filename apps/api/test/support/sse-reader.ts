import { createParser } from 'eventsource-parser';
import type { SessionEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import type { ApiUnderTest } from './api-under-test.ts';

export interface Frame {
  id?: string;
  event?: string;
  data: unknown;
}

interface OpenInput {
  api: Pick<ApiUnderTest, 'url' | 'keyOf'>;
  path: string;
  tenant?: string;
  lastEventId?: string;
}

/** A client of one stream, which keeps everything it was sent. */
export class SseReader {
  readonly frames: Frame[] = [];
  /** Lines that begin with a colon. */
  comments = 0;
  text = '';
  readonly response: Response;
  readonly #abort: AbortController;
  /** Resolves when the stream is over, from whichever side. */
  readonly ended: Promise<void>;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.ended = this.#read();
  }

  static async open({ api, path, tenant = 'acme', lastEventId }: OpenInput): Promise<SseReader> {
    const abort = new AbortController();
    const response = await fetch(`${api.url}${path}`, {
      headers: {
        authorization: `Bearer ${await api.keyOf(tenant)}`,
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      signal: abort.signal,
    });
    return new SseReader(response, abort);
  }

  /** The frames that are events of a log. */
  get events(): SessionEvent[] {
    return this.frames.filter(({ id }) => id !== undefined).map(({ data }) => data as SessionEvent);
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq);
  }

  /** Frames without an id, of one kind. */
  live(event: string): unknown[] {
    return this.frames.filter((frame) => frame.id === undefined && frame.event === event).map(({ data }) => data);
  }

  until(what: string, condition: (reader: this) => boolean, timeoutMs = 15_000): Promise<boolean> {
    return waitFor(() => condition(this), { what, timeoutMs, everyMs: 10 });
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.ended;
  }

  async #read(): Promise<void> {
    const parser = createParser({
      onEvent: ({ id, event, data }) =>
        this.frames.push({
          ...(id !== undefined && { id }),
          ...(event !== undefined && { event }),
          data: JSON.parse(data),
        }),
      onComment: () => (this.comments += 1),
    });
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.response.body ?? []) {
        const text = decoder.decode(bytes, { stream: true });
        this.text += text;
        parser.feed(text);
      }
    } catch {
      // Aborted by the test, or cut by the server's end; what arrived until then counts.
    }
  }
}
