import { PluginError, type ListenPoint } from '../../plugins/index.ts';

/**
 * The time that listeners around something take themselves at a stretch, which is bounded: one that hangs must not hold
 * up for ever what it is around. What they are around takes the time it takes.
 */
export class WrapperTime {
  readonly #limitMs: number;
  readonly #point: ListenPoint;
  readonly #late = Promise.withResolvers<never>();
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor({ point, limitMs }: { point: ListenPoint; limitMs: number }) {
    this.#point = point;
    this.#limitMs = limitMs;
    this.#late.promise.catch(() => undefined); // nobody may be waiting
    this.#run();
  }

  /** Raised when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** What they answer; throws `PLUGIN_TIMEOUT` when the time is over before they do. */
  race<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#late.promise]);
  }

  /** Runs what they are around, outside of their time. */
  async around<T>(inner: () => T | Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    try {
      return await inner();
    } finally {
      this.#run();
    }
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(() => this.#expire(), this.#limitMs);
  }

  #expire(): void {
    const error = new PluginError(
      'PLUGIN_TIMEOUT',
      `the listeners of ${this.#point} did not answer within ${this.#limitMs} ms`,
    );
    this.#over.abort(error);
    this.#late.reject(error);
  }
}
