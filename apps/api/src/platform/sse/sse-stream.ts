import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import { endedStreams } from '../metrics/registry.ts';
import { frame, HEARTBEAT } from './frame.ts';

/** Why the server ended a stream; the client may reconnect with its last event id, and a valid key. */
export type StreamEnd = 'slow-reader' | 'shutdown' | 'failed' | 'unauthenticated';

interface SseStreamInput {
  reply: FastifyReply;
  /** How long a socket may stay full before its reader is sent away, to come back when it has caught up. */
  stallMs?: number;
  /** The longest silence: well under the ten seconds after which some proxies drop a quiet connection. */
  heartbeatMs?: number;
}

/** How long an ended stream may take to deliver its last bytes. */
const FAREWELL_MS = 2_000;

/**
 * One server-sent event response. Nothing is queued for a slow reader: `write` resolves when the socket has taken the
 * bytes, so whoever feeds the stream holds at most what it wrote last.
 */
export class SseStream {
  readonly #response: ServerResponse;
  readonly #stallMs: number;
  readonly #gone: Promise<void>;
  readonly #heartbeat: NodeJS.Timeout;
  #open = true;
  #lastId: string | undefined;

  constructor({ reply, stallMs = 10_000, heartbeatMs = 5_000 }: SseStreamInput) {
    reply.hijack();
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    this.#response = reply.raw;
    this.#stallMs = stallMs;
    this.#gone = new Promise((resolve) => {
      const close = () => {
        this.#open = false;
        clearInterval(this.#heartbeat);
        resolve();
      };
      this.#response.once('close', close);
      this.#response.once('error', close);
      if (this.#response.destroyed) close();
    });
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    this.#response.flushHeaders();
    this.#response.socket?.setNoDelay(true);
    this.#response.write(HEARTBEAT);
  }

  get open(): boolean {
    return this.#open;
  }

  /** Resolves when the client or the server has closed the stream. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  /** Writes frames and waits until the socket has room again; ends the stream of a reader that takes none for too long. */
  async write(frames: string, lastId?: string): Promise<void> {
    if (!this.#open) return;
    this.#heartbeat.refresh();
    const roomLeft = this.#response.write(frames);
    this.#lastId = lastId ?? this.#lastId;
    if (roomLeft) return;
    if ((await this.#drained()) === 'stalled') await this.end('slow-reader');
  }

  /** Says why and from where to resume, then closes. */
  async end(reason: StreamEnd): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    endedStreams.inc({ reason });
    const json = JSON.stringify({ reason, ...(this.#lastId !== undefined && { lastEventId: this.#lastId }) });
    const overdue = setTimeout(() => this.#response.destroy(), FAREWELL_MS);
    this.#response.end(frame({ event: 'stream/end', json }));
    await this.#gone;
    clearTimeout(overdue);
  }

  /** A socket that is full needs no more bytes. */
  #beat(): void {
    if (this.#open && !this.#response.writableNeedDrain) this.#response.write(HEARTBEAT);
  }

  #drained(): Promise<'drained' | 'stalled' | 'gone'> {
    return new Promise((resolve) => {
      const settle = (outcome: 'drained' | 'stalled' | 'gone') => {
        clearTimeout(overdue);
        this.#response.off('drain', drain).off('close', close);
        resolve(outcome);
      };
      const drain = () => settle('drained');
      const close = () => settle('gone');
      const overdue = setTimeout(() => settle('stalled'), this.#stallMs);
      this.#response.once('drain', drain).once('close', close);
    });
  }
}
