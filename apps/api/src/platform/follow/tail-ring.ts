/** One event of a log as readers are sent it. */
export interface LogRow {
  seq: number;
  type: string;
  /** The event's wire form, as JSON text. */
  json: string;
}

/** How much of a log's end is kept in memory for its readers; both bounds hold. */
export interface RingBounds {
  rows: number;
  characters: number;
}

/** The newest rows of one log, shared by all its readers; older ones are read from the database. */
export class TailRing {
  readonly #bounds: RingBounds;
  #rows: LogRow[] = [];
  #characters = 0;
  #base: number;
  #head: number;

  /** `head` is the highest seq known when following began, -1 for an empty log. */
  constructor(head: number, bounds: RingBounds = { rows: 1_000, characters: 256 * 1024 }) {
    this.#bounds = bounds;
    this.#base = head;
    this.#head = head;
  }

  /** Every stored row above this seq is in the ring. */
  get base(): number {
    return this.#base;
  }

  /** The highest seq the ring has seen. */
  get head(): number {
    return this.#head;
  }

  /** Adds rows in order of seq; the oldest leave when a bound is passed, the newest always stays. */
  push(rows: readonly LogRow[]): void {
    for (const row of rows) {
      if (row.seq <= this.#head) continue;
      this.#rows.push(row);
      this.#characters += row.json.length;
      this.#head = row.seq;
    }
    let surplus = 0;
    for (const row of this.#rows) {
      if (!this.#over(surplus)) break;
      this.#characters -= row.json.length;
      this.#base = row.seq;
      surplus += 1;
    }
    if (surplus > 0) this.#rows = this.#rows.slice(surplus);
  }

  /** The rows above `after`, or `undefined` when some of them are no longer here. */
  after(after: number): readonly LogRow[] | undefined {
    if (after < this.#base) return undefined;
    const first = this.#rows.findIndex((row) => row.seq > after);
    return first === -1 ? [] : this.#rows.slice(first);
  }

  #over(surplus: number): boolean {
    const kept = this.#rows.length - surplus;
    return kept > 1 && (kept > this.#bounds.rows || this.#characters > this.#bounds.characters);
  }
}
