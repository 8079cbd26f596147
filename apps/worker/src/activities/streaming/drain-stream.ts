import type { SeqRange, StreamChunk } from '@everturn/core/domain';

/** Why a stream's chunks are no longer written. */
export type DrainLoss =
  /** Another attempt owns the effect, or the session's log refused the writer. */
  | { kind: 'refused'; reason: string }
  /** The database was away for too long, or too much had piled up. */
  | { kind: 'given-up'; reason: string };

/** One model call's place in the drain. */
export class DrainStream {
  /** Chunks not yet committed, those in flight included. */
  waiting: StreamChunk[] = [];
  waitingBytes = 0;
  /** How many chunks are committed; the next one's place. */
  committed = 0;
  readonly ranges: SeqRange[] = [];
  /** `ending`: what still waits goes with the effect's outcome. */
  phase: 'open' | 'ending' = 'open';
  #loss: DrainLoss | undefined;
  #inFlight: Promise<void> | undefined;
  readonly #onLoss: (loss: DrainLoss) => void;

  constructor(input: { onLoss: (loss: DrainLoss) => void }) {
    this.#onLoss = input.onLoss;
  }

  get loss(): DrainLoss | undefined {
    return this.#loss;
  }

  /** Marks the oldest waiting chunks as rows `ranges`. */
  acknowledge(count: number, bytes: number, ranges: readonly SeqRange[]): void {
    this.waiting = this.waiting.slice(count);
    this.waitingBytes -= bytes;
    this.committed += count;
    for (const range of ranges) this.#extend(range);
  }

  /** Gives up everything that waits, once and for all. */
  lose(loss: DrainLoss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.waiting = [];
    this.waitingBytes = 0;
    this.#onLoss(loss);
  }

  /** Notes that a commit holds some of the chunks; it must never reject. */
  carry(commit: Promise<void>): void {
    this.#inFlight = commit;
  }

  /** Resolves when no commit holds any of the chunks. */
  async landed(): Promise<void> {
    await this.#inFlight;
  }

  #extend(range: SeqRange): void {
    const last = this.ranges.at(-1);
    if (last && last.to + 1 === range.from) last.to = range.to;
    else this.ranges.push({ ...range });
  }
}
