import { isLlmError, LlmError } from '../../domain/index.ts';
import { errorText } from '../error-text.ts';
import type { EndpointConfig } from './endpoint-config.ts';
import { IdleWatchdog } from './idle-watchdog.ts';
import type { Stall } from './idle-watchdog.ts';

/** Where a provider is, and the variable that says so. */
export type Endpoint = Pick<EndpointConfig, 'baseUrl' | 'baseUrlFrom'>;

export interface AttemptInput {
  signal?: AbortSignal | undefined;
  idleMs: number;
  silenceMs: number;
  endpoint?: Endpoint;
}

/** One attempt at a provider: every wait on it goes through `read`, which knows why it broke off. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #limits: { idleMs: number; silenceMs: number };
  readonly #endpoint: Endpoint | undefined;
  readonly #onAbort = () => this.#stop('aborted');
  /** Note here what arrives. */
  readonly watchdog: IdleWatchdog;
  #ended: 'aborted' | Stall | undefined;

  constructor(input: AttemptInput) {
    this.#endpoint = input.endpoint;
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
      throw classified(error) ?? unreachable(error, this.#endpoint);
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

/** Nobody took the call at all: the address may be wrong, and people are told where it was set. */
const NOBODY_THERE =
  /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b/;

function unreachable(error: unknown, endpoint: Endpoint | undefined): LlmError {
  const message = errorText(error);
  const where = endpoint?.baseUrlFrom !== undefined && isNobodyThere(error, message) ? endpoint : undefined;
  const remedy = where ? `; nothing answers at ${hostOf(where.baseUrl)}: check ${where.baseUrlFrom}` : '';
  return new LlmError({ code: 'TRANSPORT', message: `${message}${remedy}` }, { cause: error });
}

function isNobodyThere(error: unknown, message: string): boolean {
  for (let level = error; level instanceof Error; level = level.cause)
    if ('code' in level && NOBODY_THERE.test(String(level.code))) return true;
  return NOBODY_THERE.test(message);
}

/** Without what may stand in an address besides: a name, a password, a query. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? 'its address';

/** What our own fetch threw, out of the wrappings of the client. */
function classified(error: unknown): LlmError | undefined {
  for (let level = error; level instanceof Error; level = level.cause) if (isLlmError(level)) return level;
  return undefined;
}
