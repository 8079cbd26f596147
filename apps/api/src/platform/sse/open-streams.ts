import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { openStreams } from '../metrics/registry.ts';
import { LOGGER } from '../tokens.ts';
import { SseStream } from './sse-stream.ts';

interface ServeInput {
  reply: FastifyReply;
  feed: 'session' | 'tenant';
  /** Feeds the stream until it is closed. */
  follow: (stream: SseStream) => Promise<void>;
}

/** Every event stream of this process, so that a shutdown can end each in a way its reader can resume from. */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  readonly #streams = new Set<SseStream>();
  #draining = false;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async serve({ reply, feed, follow }: ServeInput): Promise<void> {
    const stream = new SseStream({ reply });
    this.#streams.add(stream);
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
    await Promise.all([...this.#streams].map((stream) => stream.end('shutdown')));
  }
}
