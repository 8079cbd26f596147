import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { ParseError } from 'eventsource-parser';
import { LlmError } from '../../domain/index.ts';
import type { Attempt } from './attempt.ts';

/** An event of a stream; `tail` is one whose closing blank line never came. */
export interface SseEvent {
  name?: string;
  data: string;
  place: 'body' | 'tail';
}

/** How long a body may stay open after its last event before its connection is given up. */
const DRAIN_MS = 100;
const EVENT_LIMIT = 32 * 1024 * 1024;

/**
 * Reads events as they arrive, and says what the body began with when it holds none. The parser waits after a
 * CR to see whether LF follows, which would hold an event back until the next packet, so lines are ended here.
 */
export class SseReader {
  readonly #attempt: Attempt;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #head = '';
  #state: 'searching' | 'found' = 'searching';
  #events: SseEvent[] = [];

  constructor(input: { attempt: Attempt; body: ReadableStream<Uint8Array> }) {
    this.#attempt = input.attempt;
    this.#reader = input.body.getReader();
  }

  /** The whole body as long as it holds no event. */
  get head(): string {
    return this.#head;
  }

  async *events(): AsyncGenerator<SseEvent> {
    const decoder = new TextDecoder();
    const lines = new LineEnds();
    let place: SseEvent['place'] = 'body';
    const parser = createParser({
      onEvent: ({ event, data }) => this.#saw({ ...(event && { name: event }), data, place }),
      onComment: () => this.#attempt.watchdog.saw('keep-alive'),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw tooLong();
        const data = this.#errorOutside(error);
        if (data !== undefined) this.#saw({ name: 'error', data, place });
      },
      maxBufferSize: EVENT_LIMIT,
    });
    for (;;) {
      const { done, value } = await this.#attempt.read(() => this.#reader.read());
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (this.#state === 'searching' && this.#head.length < EVENT_LIMIT) this.#head += text;
      parser.feed(lines.end(text));
      if (done) {
        place = 'tail';
        parser.feed('\n\n');
      }
      yield* this.#events.splice(0);
      if (done) return;
    }
  }

  /** Reads the end of the body, so that the connection can serve the next call; does not wait for it long. */
  async drain(): Promise<void> {
    const toEnd = async () => {
      while (!(await this.#reader.read()).done);
    };
    const ended = toEnd().catch(() => undefined);
    await Promise.race([ended, delay(DRAIN_MS, undefined, { ref: false })]);
  }

  /** Some servers write what went wrong beside the stream: as a field `error`, or as a bare line of JSON. */
  #errorOutside({ field, value, line = '' }: ParseError): string | undefined {
    if (field === 'error') return value;
    return this.#state === 'found' && /^\{\s*"error"/.test(line) ? line : undefined;
  }

  #saw(event: SseEvent): void {
    const real = event.data !== '' && event.data !== 'null';
    this.#attempt.watchdog.saw(real ? 'data' : 'keep-alive');
    if (!real) return;
    this.#events.push(event);
    this.#state = 'found';
    this.#head = '';
  }
}

/** Turns CR, LF and CRLF into LF, across packets. */
class LineEnds {
  #afterCr = false;

  end(text: string): string {
    if (text === '') return text;
    const rest = this.#afterCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterCr = text.endsWith('\r');
    return rest.replace(/\r\n?/g, '\n');
  }
}

function tooLong(): LlmError {
  return new LlmError({
    code: 'MALFORMED_RESPONSE',
    message: `the provider sent an event over ${EVENT_LIMIT} characters`,
  });
}
