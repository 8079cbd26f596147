import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { KeyRing } from '../auth/key-ring.ts';
import { isDatabaseOutage } from '../errors/from-database.ts';
import { openStreams } from '../metrics/registry.ts';
import { LOGGER } from '../tokens.ts';
import { SseStream } from './sse-stream.ts';

interface ServeInput {
  reply: FastifyReply;
  feed: 'session' | 'tenant';
  /** Feeds the stream until it is closed. */
  follow: (stream: SseStream) => Promise<void>;
}

/** How often it is asked whether the keys of open streams are still good, in ms. */
const ASK_KEYS_MS = 5_000;

/**
 * Every event stream of this process, so that a shutdown can end each in a way its reader can resume from, and that
 * none outlives its reader's key.
 */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  /** With what each was asked for. */
  readonly #streams = new Map<SseStream, string | undefined>();
  readonly #asking: NodeJS.Timeout;
  #draining = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(KeyRing) private readonly keys: KeyRing,
  ) {
    this.#asking = setInterval(() => void this.#endThoseWithoutKey(), ASK_KEYS_MS).unref();
  }

  async serve({ reply, feed, follow }: ServeInput): Promise<void> {
    const stream = new SseStream({ reply });
    this.#streams.set(stream, reply.request.headers.authorization);
    openStreams.inc({ feed });
    try {
      if (this.#draining) await stream.end('shutdown');
      await follow(stream);
    } catch (error) {
      this.logger.error({ err: error }, 'an event stream failed');
      await stream.end('failed');
    } finally {
      this.#streams.delete(stream);
      openStreams.dec({ feed });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#asking);
    await Promise.all([...this.#streams.keys()].map((stream) => stream.end('shutdown')));
  }

  async #endThoseWithoutKey(): Promise<void> {
    const byKey = Map.groupBy(this.#streams.keys(), (stream) => this.#streams.get(stream));
    for (const [authorization, streams] of byKey) {
      if (!(await this.#isInvalid(authorization))) continue;
      await Promise.all(streams.map((stream) => stream.end('unauthenticated')));
    }
  }

  /** What cannot be looked up now counts as good: an outage of the database must end no stream. */
  async #isInvalid(authorization: string | undefined): Promise<boolean> {
    try {
      return !(await this.keys.isValid(authorization));
    } catch (error) {
      if (!isDatabaseOutage(error)) this.logger.error({ err: error }, 'the key of a stream could not be looked up');
      return false;
    }
  }
}
