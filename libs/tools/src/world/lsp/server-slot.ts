import { ToolError, type LspAnswer, type LspQuery } from '../../kit/index.ts';
import { LanguageServer, ServerGone } from './language-server.ts';
import type { StartServerInput } from './server-process.ts';

/** What bounds servers, in ms. */
export interface ServerLimits {
  /** From the start to a server that says what it can do. */
  startMs: number;
  /** After a start that took too long the next question does not wait for another one until this has passed. */
  restMs: number;
  /** A server nobody asks is stopped; the next question starts it again. */
  idleMs: number;
  /** For a server that was told to stop a request. */
  graceMs: number;
}

export interface ServerSlotInput {
  start: Omit<StartServerInput, 'signal' | 'graceMs'>;
  languageIdOf(path: string): string;
  limits: ServerLimits;
  /** Called before a process is started. */
  makeRoom(): Promise<void>;
}

/** The place of one server in one workspace: who asks waits for its turn, a dead server is replaced. */
export class ServerSlot {
  readonly #input: ServerSlotInput;
  #server: LanguageServer | undefined;
  #turns: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #restingUntil = 0;
  #stopped = false;
  #idle: NodeJS.Timeout | undefined;
  /** When it was last asked, by `performance.now()`. */
  lastUsed = 0;

  constructor(input: ServerSlotInput) {
    this.#input = input;
  }

  /** Whether a process runs here. */
  get running(): boolean {
    return this.#server?.alive === true;
  }

  /** Whether somebody asks or waits to. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** Asks when all who came before have been answered. */
  async ask(query: LspQuery): Promise<LspAnswer> {
    let begun = false;
    this.#waiting += 1;
    clearTimeout(this.#idle);
    const turn = this.#turns.then(async () => {
      if (this.#stopped) throw disposed();
      if (query.signal.aborted) throw aborted();
      begun = true;
      return this.#answer(query);
    });
    this.#turns = turn.catch(() => undefined);
    const leave = Promise.withResolvers<never>();
    const onAbort = () => {
      if (!begun) leave.reject(aborted()); // whoever only waits need not wait to leave
    };
    query.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([turn, leave.promise]);
    } finally {
      query.signal.removeEventListener('abort', onAbort);
      this.#waiting -= 1;
      this.#rest();
    }
  }

  /** Ends the process; who still waits is told. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#idle);
    await this.sleep();
  }

  /** Ends the process until the next question. */
  async sleep(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
  }

  /** A transport that breaks gets one more chance, on a process that nothing has happened to. */
  async #answer(query: LspQuery): Promise<LspAnswer> {
    for (let last = false; ; last = true) {
      try {
        const server = await this.#ready(query.signal);
        const document = {
          path: query.path,
          languageId: this.#input.languageIdOf(query.path),
          text: await query.readSource(),
        };
        const { operation, line, character, signal } = query;
        return await server.ask({ operation, document, position: { line, character }, signal });
      } catch (error) {
        if (!(error instanceof ServerGone)) throw error;
        await this.#server?.kill();
        this.#server = undefined;
        if (last || query.signal.aborted || this.#stopped) throw error;
      }
    }
  }

  async #ready(signal: AbortSignal): Promise<LanguageServer> {
    if (this.#server?.alive) return this.#server;
    await this.#server?.kill();
    this.#server = undefined;
    const { start, limits, makeRoom } = this.#input;
    const rests = this.#restingUntil - performance.now();
    if (rests > 0)
      throw didNotStart(start.definition.id, limits.startMs, `; it is tried again in ${Math.ceil(rests / 1000)} s`);
    await makeRoom();
    const tooLong = AbortSignal.timeout(limits.startMs);
    try {
      this.#server = await LanguageServer.start({
        ...start,
        graceMs: limits.graceMs,
        signal: AbortSignal.any([signal, tooLong]),
      });
      return this.#server;
    } catch (error) {
      if (!tooLong.aborted || signal.aborted) throw error;
      this.#restingUntil = performance.now() + limits.restMs;
      throw didNotStart(start.definition.id, limits.startMs, '');
    }
  }

  #rest(): void {
    this.lastUsed = performance.now();
    clearTimeout(this.#idle);
    if (this.#waiting > 0 || this.#stopped) return;
    this.#idle = setTimeout(() => void this.sleep(), this.#input.limits.idleMs).unref();
  }
}

const aborted = (): ToolError => new ToolError('ABORTED', 'tool call aborted');
const disposed = (): ToolError => new ToolError('LSP_DISPOSED', 'the language server was stopped with its session');
const didNotStart = (id: string, ms: number, more: string): ToolError =>
  new ToolError('LSP_UNAVAILABLE', `language server "${id}" did not start within ${ms} ms${more}`);
