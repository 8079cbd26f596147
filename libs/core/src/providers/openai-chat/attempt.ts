import { isLlmError, LlmError } from '../../domain/index.ts';
import { errorText } from '../error-text.ts';
import { IdleWatchdog } from './idle-watchdog.ts';
import type { Stall } from './idle-watchdog.ts';

/** One attempt at a provider: every wait on it goes through `read`, which knows why it broke off. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #limits: { idleMs: number; silenceMs: number };
  readonly #onAbort = () => this.#stop('aborted');
  /** Note here what arrives. */
  readonly watchdog: IdleWatchdog;
  #ended: 'aborted' | Stall | undefined;

  constructor(input: { signal?: AbortSignal | undefined; idleMs: number; silenceMs: number }) {
    this.#caller = input.signal;
    this.#limits = input;
    this.watchdog = new IdleWatchdog({ ...input, onStall: (stall) => this.#stop(stall) });
    if (input.signal?.aborted) this.#onAbort();
    input.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Give it to whatever talks to the provider. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits on the provider; throws `ABORTED`, `TIMEOUT`, what was classified below, or `TRANSPORT`. */
  async read<T>(wait: () => Promise<T>): Promise<T> {
    this.#throwIfEnded();
    this.watchdog.begin();
    try {
      return await wait();
    } catch (error) {
      this.#throwIfEnded();
      throw classified(error) ?? new LlmError({ code: 'TRANSPORT', message: errorText(error) }, { cause: error });
    } finally {
      this.watchdog.end();
    }
  }

  /** Ends the attempt and its connection, however far it came. */
  close(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }

  #stop(why: 'aborted' | Stall): void {
    this.#ended ??= why;
    this.#controller.abort();
  }

  #throwIfEnded(): void {
    switch (this.#ended) {
      case undefined:
        return;
      case 'aborted':
        throw new LlmError({ code: 'ABORTED', message: 'the model call was cancelled' });
      case 'idle':
        throw new LlmError({ code: 'TIMEOUT', message: `the provider sent nothing for ${this.#limits.idleMs} ms` });
      case 'silent':
        throw new LlmError({
          code: 'TIMEOUT',
          message: `the provider sent only keep-alives for ${this.#limits.silenceMs} ms`,
        });
    }
  }
}

/** What our own fetch threw, out of the wrappings of the client. */
function classified(error: unknown): LlmError | undefined {
  for (let level = error; level instanceof Error; level = level.cause) if (isLlmError(level)) return level;
  return undefined;
}
