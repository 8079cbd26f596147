/** Measures how long something has worked, in ms, leaving out while it waits for people. */
export class WorkTime {
  #spentMs: number;
  /** When it last began to work; absent while it waits. */
  #since: number | undefined;

  constructor(spentMs: number, now: number) {
    this.#spentMs = spentMs;
    this.#since = now;
  }

  get state(): 'works' | 'waits' {
    return this.#since === undefined ? 'waits' : 'works';
  }

  spentMs(now: number): number {
    return this.#spentMs + (this.#since === undefined ? 0 : now - this.#since);
  }

  /** Repeated in the same state it changes nothing. */
  turn(state: 'works' | 'waits', now: number): void {
    if (state === this.state) return;
    if (state === 'waits') this.#spentMs = this.spentMs(now);
    this.#since = state === 'works' ? now : undefined;
  }
}
