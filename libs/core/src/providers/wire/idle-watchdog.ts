/** Why a provider was given up: it sent nothing, or nothing but keep-alives. */
export type Stall = 'idle' | 'silent';

/**
 * Fires when a provider stalls. Only time spent reading counts: a slow consumer never makes it fire.
 * Any event ends idleness; only a real one ends silence.
 */
export class IdleWatchdog {
  readonly #idleMs: number;
  readonly #silenceMs: number;
  readonly #onStall: (stall: Stall) => void;
  #idle = 0;
  #silent = 0;
  #reading: { since: number; timer: NodeJS.Timeout } | undefined;

  constructor(input: { idleMs: number; silenceMs: number; onStall: (stall: Stall) => void }) {
    this.#idleMs = input.idleMs;
    this.#silenceMs = input.silenceMs;
    this.#onStall = input.onStall;
  }

  /** Starts to count; call it right before a read. */
  begin(): void {
    const idleLeft = this.#idleMs - this.#idle;
    const silenceLeft = this.#silenceMs - this.#silent;
    const stall: Stall = idleLeft <= silenceLeft ? 'idle' : 'silent';
    const timer = setTimeout(() => this.#onStall(stall), Math.max(0, Math.min(idleLeft, silenceLeft)));
    this.#reading = { since: performance.now(), timer };
  }

  /** Stops to count; call it when the read has settled, however. */
  end(): void {
    if (!this.#reading) return;
    clearTimeout(this.#reading.timer);
    const spent = performance.now() - this.#reading.since;
    this.#reading = undefined;
    this.#idle += spent;
    this.#silent += spent;
  }

  /** Notes what a read brought. */
  saw(event: 'data' | 'keep-alive'): void {
    this.#idle = 0;
    if (event === 'data') this.#silent = 0;
  }
}
