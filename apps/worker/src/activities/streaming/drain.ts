import type { SeqRange, StreamChunk } from '@everturn/core/domain';
import { takeBatch, type WaitingChunks } from './drain-queue.ts';
import { DrainStream, type DrainLoss } from './drain-stream.ts';
import { splitChunk } from './split-chunk.ts';

/** What a commit says about one stream's part of it. */
export type AppendVerdict = { kind: 'written'; ranges: SeqRange[] } | { kind: 'refused'; reason: string };

/** Some chunks of one stream, to be written as rows. */
export interface AppendPart<Target> {
  target: Target;
  /** Place of the first chunk among all of the stream: writing a place twice must change nothing. */
  first: number;
  chunks: StreamChunk[];
}

export interface DrainInput<Target> {
  /** Writes all parts in one transaction and answers in their order; throws only when the database is away. */
  append(parts: AppendPart<Target>[]): Promise<AppendVerdict[]>;
  /** In ms; tests shorten it. */
  outageLimitMs?: number;
  /** What may wait while the database is away; with half of it waiting streams are held while it is there. */
  bufferLimitBytes?: number;
}

/** A model call's way to the log. */
export interface ChunkWriter {
  push(chunk: StreamChunk): void;
  /** Resolves when there is room for more; nothing where there is, which is nearly always. Never rejects. */
  room(): Promise<void> | undefined;
  /** Ends the writing and hands over what is no row yet; throws {@link DrainLossError} when chunks were lost. */
  end(): Promise<DrainedStream>;
  /** Ends the writing; whatever still waits is dropped. */
  close(): void;
}

/** What became of a stream's chunks. */
export interface DrainedStream {
  /** The rows written so far. */
  ranges: SeqRange[];
  /** The rest, in order; its first chunk has the place `first`. It may be stored already, if an answer got lost. */
  first: number;
  rest: StreamChunk[];
}

/** Chunks could not be written. */
export class DrainLossError extends Error {
  readonly loss: DrainLoss;
  constructor(loss: DrainLoss) {
    super(`chunks are no longer written: ${loss.reason}`);
    this.name = 'DrainLossError';
    this.loss = loss;
  }
}

const OUTAGE_LIMIT_MS = 60_000;
const BUFFER_LIMIT_BYTES = 8 * 1024 * 1024;
const ROWS_PER_COMMIT = 500;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/**
 * The one writer of chunk rows in a process. It clocks itself: with no commit in flight a chunk is committed at once,
 * and what arrives meanwhile goes with the next, so that a slow database makes bigger commits instead of longer queues.
 * A model that is faster still is read no further until there is room; only while the database is away chunks are lost.
 */
export class ChunkDrain<Target> {
  readonly #append: DrainInput<Target>['append'];
  readonly #outageLimitMs: number;
  readonly #bufferLimitBytes: number;
  readonly #streams = new Map<DrainStream, Target>();
  #waiters: (() => void)[] = [];
  #inFlight = false;
  #failingSince: number | undefined;

  constructor(input: DrainInput<Target>) {
    this.#append = input.append;
    this.#outageLimitMs = input.outageLimitMs ?? OUTAGE_LIMIT_MS;
    this.#bufferLimitBytes = input.bufferLimitBytes ?? BUFFER_LIMIT_BYTES;
  }

  /** Opens a writer; `onLoss` is called once when its chunks cannot be written any more. */
  open(target: Target, onLoss: (loss: DrainLoss) => void): ChunkWriter {
    const stream = new DrainStream({ onLoss });
    this.#streams.set(stream, target);
    return {
      push: (chunk) => this.#push(stream, chunk),
      room: () => (stream.loss || this.#hasRoom() ? undefined : new Promise((resolve) => this.#waiters.push(resolve))),
      end: async () => {
        stream.phase = 'ending';
        await stream.landed();
        this.#streams.delete(stream);
        if (stream.loss) throw new DrainLossError(stream.loss);
        return { ranges: stream.ranges, first: stream.committed, rest: stream.waiting };
      },
      close: () => {
        this.#streams.delete(stream);
        this.#wake();
      },
    };
  }

  #push(stream: DrainStream, chunk: StreamChunk): void {
    if (stream.loss || stream.phase === 'ending') return;
    for (const piece of splitChunk(chunk)) {
      stream.waiting.push(piece);
      stream.waitingBytes += sizeOf(piece);
    }
    this.#bound();
    void this.#run();
  }

  /** While the database is away nobody is held: what may wait is bounded, and a model is not kept waiting for a minute. */
  #hasRoom(): boolean {
    return this.#failingSince !== undefined || this.#waitingBytes() <= this.#bufferLimitBytes / 2;
  }

  #waitingBytes(): number {
    return [...this.#streams.keys()].reduce((sum, stream) => sum + stream.waitingBytes, 0);
  }

  #wake(): void {
    if (this.#waiters.length === 0 || !this.#hasRoom()) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  /** The stream that holds most goes first: one runaway must not cost the others theirs. */
  #bound(): void {
    if (this.#failingSince === undefined || this.#waitingBytes() <= this.#bufferLimitBytes) return;
    const largest = [...this.#streams.keys()].reduce((a, b) => (b.waitingBytes > a.waitingBytes ? b : a));
    largest.lose({ kind: 'given-up', reason: `more than ${this.#bufferLimitBytes} bytes wait for the database` });
  }

  async #run(): Promise<void> {
    if (this.#inFlight) return;
    this.#inFlight = true;
    try {
      let retryMs = FIRST_RETRY_MS;
      for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
        const commit = this.#commit(batch);
        const landed = commit.then(() => undefined);
        for (const { stream } of batch) stream.carry(landed);
        const written = await commit;
        this.#wake();
        if (written) {
          retryMs = FIRST_RETRY_MS;
          continue;
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    } finally {
      this.#inFlight = false;
    }
  }

  #next(): WaitingChunks[] {
    return takeBatch(this.#streams.keys(), ROWS_PER_COMMIT);
  }

  async #commit(batch: WaitingChunks[]): Promise<boolean> {
    try {
      const parts = batch.map(({ stream, first, chunks }) => ({
        target: this.#streams.get(stream) as Target,
        first,
        chunks,
      }));
      const verdicts = await this.#append(parts);
      this.#failingSince = undefined;
      batch.forEach(({ stream, chunks }, index) => settle(stream, chunks, verdicts[index]));
      return true;
    } catch (error) {
      this.#noteOutage(error);
      return false;
    }
  }

  #noteOutage(error: unknown): void {
    this.#failingSince ??= Date.now();
    this.#bound();
    if (Date.now() - this.#failingSince < this.#outageLimitMs) return;
    const why = error instanceof Error ? error.message : String(error);
    for (const stream of this.#streams.keys()) {
      if (stream.waiting.length > 0) {
        stream.lose({ kind: 'given-up', reason: `the database was away for ${this.#outageLimitMs} ms: ${why}` });
      }
    }
  }
}

function settle(stream: DrainStream, chunks: StreamChunk[], verdict: AppendVerdict | undefined): void {
  if (stream.loss) return; // given up while its commit was in flight
  if (verdict?.kind === 'written') {
    stream.acknowledge(
      chunks.length,
      chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0),
      verdict.ranges,
    );
  } else {
    stream.lose({ kind: 'refused', reason: verdict?.reason ?? 'the commit did not mention this stream' });
  }
}

function sizeOf(chunk: StreamChunk): number {
  switch (chunk.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return chunk.text.length + 64;
    case 'tool-call-delta':
      return chunk.argumentsDelta.length + 64;
    case 'block-end':
      return JSON.stringify(chunk.block).length + 64;
    default:
      return 64;
  }
}
