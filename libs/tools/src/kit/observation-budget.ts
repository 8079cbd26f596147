/** Something that can forget what it has seen. */
export interface Forgetful {
  readonly size: number;
  forget(): void;
}

/**
 * Bounds what all sessions of a process remember together: an idle session may stay for weeks, and must not cost memory
 * for ever. Who has not looked for longest forgets all it saw, which costs a model one more look.
 */
export class ObservationBudget {
  readonly #max: number;
  readonly #sizes = new Map<Forgetful, number>();
  #total = 0;

  constructor({ max }: { max: number }) {
    this.#max = max;
  }

  /** Counts what one remembers now; others forget until all fits, and at last it does itself. */
  count(owner: Forgetful): void {
    this.drop(owner);
    this.#sizes.set(owner, owner.size);
    this.#total += owner.size;
    for (const oldest of this.#sizes.keys()) {
      if (this.#total <= this.#max) return;
      this.drop(oldest);
      oldest.forget();
    }
  }

  /** Counts one no longer. */
  drop(owner: Forgetful): void {
    this.#total -= this.#sizes.get(owner) ?? 0;
    this.#sizes.delete(owner);
  }
}
