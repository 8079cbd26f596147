import {
  DerivedMessages,
  SurfaceFold,
  isSurfaceType,
  TokenMeter,
  type Message,
  type SessionEvent,
  type SessionId,
  type SurfaceEvent,
} from '@everturn/core/domain';
import { AtMost } from './at-most.ts';
import { BoundedCache } from './bounded-cache.ts';

/** Characters of log content kept in memory by all derived sessions together. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The surface of one session as far as this worker has read it. */
export class DerivedSession {
  readonly #fold = new SurfaceFold();
  readonly #derived = new DerivedMessages(this.#fold);
  readonly #meter = new TokenMeter(this.#fold);
  #characters = 0;
  #readFrom = 0;

  /** The first row not applied yet. */
  get readFrom(): number {
    return this.#readFrom;
  }
  /** Characters of the content held. */
  get characters(): number {
    return this.#characters;
  }

  /** What the session's next request costs. */
  get meter(): TokenMeter {
    return this.#meter;
  }
  /** The surface as far as it was read, in order. */
  nodes(): SurfaceEvent[] {
    return this.#fold.nodes();
  }

  /** Applies rows below a number, in order, skipping those already applied; gives the messages up to there. */
  messagesBefore(limit: number, rows: readonly SessionEvent[]): Message[] {
    this.readOn(rows, limit);
    return this.#derived.messages();
  }

  /** Applies rows, all or those below a number. */
  readOn(rows: readonly SessionEvent[], limit = Number.POSITIVE_INFINITY): void {
    for (const row of rows) {
      if (row.seq < this.#readFrom || row.seq >= limit) continue;
      this.#fold.apply(row);
      this.#meter.apply(row);
      this.#readFrom = row.seq + 1;
      if (isSurfaceType(row.type)) this.#characters += sizeOf(row.data);
      if (typeof row.surfaceOp === 'object') this.#recount();
    }
  }

  /** What was replaced is not held any more. */
  #recount(): void {
    this.#characters = 0;
    for (const node of this.#fold.nodes()) this.#characters += sizeOf(node.data);
  }
}

/** Sessions that are read from their start at once. */
const READ_AT_ONCE = 4;

/** Derived sessions by last use, so that a step reads only what is new in its log. */
export class DerivedSessions {
  /** Who reads a session from its start waits for a place. */
  readonly reading = new AtMost(READ_AT_ONCE);
  readonly #sessions = new BoundedCache<DerivedSession>({ maxWeight: MAX_CHARACTERS });

  /** The session as known; a new life of it (generation) is read from the start, since its tail may have changed. */
  open(input: { session: SessionId; generation: number }): DerivedSession {
    return this.#sessions.get(keyOf(input)) ?? new DerivedSession();
  }

  /** Keeps the session for the next step. */
  keep(input: { session: SessionId; generation: number }, derived: DerivedSession): void {
    this.#sessions.set(keyOf(input), derived, derived.characters + 1_000);
  }
}

const sizes = new WeakMap<object, number>();

function sizeOf(data: object): number {
  const known = sizes.get(data);
  if (known !== undefined) return known;
  const size = JSON.stringify(data).length;
  sizes.set(data, size);
  return size;
}

const keyOf = ({ session, generation }: { session: SessionId; generation: number }): string =>
  `${session}~${generation}`;
