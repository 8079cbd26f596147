/** Lets so many work at a time; who comes later waits in turn. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** What the work brings; throws the signal's reason when that is raised before the work's turn. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) return void (this.#free -= 1);
    const turn = Promise.withResolvers<void>();
    const begin = () => turn.resolve();
    const leave = () => {
      this.#waiting.delete(begin);
      turn.reject(signal.reason as Error);
    };
    this.#waiting.add(begin);
    signal.addEventListener('abort', leave, { once: true });
    // Settled once: who was given a slot cannot leave without giving it back.
    await turn.promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** To who waited longest, else back. */
  #give(): void {
    const [next] = this.#waiting;
    if (!next) return void (this.#free += 1);
    this.#waiting.delete(next);
    next();
  }
}
