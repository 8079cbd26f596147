/** Keeps values by last use, up to a total weight; the heaviest question a cache may not answer is memory. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, { value: Value; weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(input: { maxWeight: number }) {
    this.#maxWeight = input.maxWeight;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value, or changes its weight; drops those used longest ago, and at last the value itself. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
