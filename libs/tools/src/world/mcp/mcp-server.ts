import type { JsonObject } from '@everturn/core/domain';
import { McpConnection, type Line, type RequestInput } from './connection.ts';
import { isForgotten, isRefused, isUnreachable } from './http-line.ts';
import type { McpGeneration } from './offered-tools.ts';
import { earnsAttempts, reconnectDelay } from './reconnect-delay.ts';
import { redactor } from './redact.ts';
import type { McpServerOptions, McpServerState } from './server-options.ts';

export interface McpServerInput {
  options: McpServerOptions;
  /** A new way to the server for each connection. */
  line(): Line;
  /** What is offered, or how the connection stands, is another now. */
  onChange(): void;
  /** Something an operator should know; holds no secret. */
  onNotice(notice: string): void;
}

/** A shake of hands and a list take no longer. */
const CONNECT_TIMEOUT_MS = 60_000;
/** How long a connection that ends may hold up the one that follows. */
const CLOSING_MS = 5_000;
const PROBE_MS = 5_000;

/** One MCP server for the life of this process: connected, lost and connected again. */
export class McpServer {
  readonly #input: McpServerInput;
  readonly #redact: (text: string) => string;
  readonly #ended = new AbortController();
  #state: McpServerState = 'connecting';
  #connection: McpConnection | undefined;
  #generation: McpGeneration | undefined;
  #attempts = 0;
  #connectedAt = 0;
  #closing: Promise<unknown> = Promise.resolve();
  #attempt: Promise<void> = Promise.resolve();
  #resync: Promise<void> = Promise.resolve();
  #lastFailure = 'it never answered';
  #arrival = Promise.withResolvers<McpConnection>();

  constructor(input: McpServerInput) {
    this.#input = input;
    this.#redact = redactor(input.options.secrets);
    this.#arrival.promise.catch(() => undefined);
  }

  get options(): McpServerOptions {
    return this.#input.options;
  }
  get state(): McpServerState {
    return this.#state;
  }
  /** What it offers; stays through an outage until every attempt has failed. */
  get generation(): McpGeneration | undefined {
    return this.#generation;
  }

  /** The first attempt; throws when it fails and the worker must not start without this server. */
  async start(): Promise<void> {
    await this.#connect();
    if (this.#state === 'connected' || !this.options.failOnStartupError) return;
    throw new Error(`MCP server "${this.options.name}" did not start: ${this.#lastFailure}`);
  }

  /** One request to the server; waits for a connection that is being made again. Throws plain errors that name the server. */
  async request(input: Omit<RequestInput, 'timeoutMs'>): Promise<JsonObject> {
    return (await this.#ask(input, 'first')) ?? ((await this.#ask(input, 'last')) as JsonObject);
  }

  /** Nothing when the server has forgotten us: then it has not looked at the request, and asking again is safe. */
  async #ask(input: Omit<RequestInput, 'timeoutMs'>, time: 'first' | 'last'): Promise<JsonObject | undefined> {
    const connection = await this.#connected(input.signal);
    try {
      return await connection.request({ ...input, timeoutMs: this.options.toolCallTimeoutMs });
    } catch (error) {
      input.signal.throwIfAborted();
      if (time === 'last' || !isForgotten(error)) throw this.#explain(connection, error);
      this.#lose(connection, 'it has forgotten the session');
      return undefined;
    }
  }

  /** Ends the connection for good, and an attempt at one; nothing is attempted afterwards, and no program is left. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#set('closed');
    this.#arrival.reject(new Error('closed'));
    await this.#connection?.close().catch(() => undefined);
    await this.#closing;
    await this.#attempt;
  }

  #connect(): Promise<void> {
    this.#attempt = this.#tryToConnect();
    return this.#attempt;
  }

  async #tryToConnect(): Promise<void> {
    await Promise.race([this.#closing, afterMs(CLOSING_MS)]);
    if (this.#ended.signal.aborted) return;
    const { name } = this.options;
    const limits = { timeoutMs: CONNECT_TIMEOUT_MS, signal: this.#ended.signal };
    let connection: McpConnection | undefined;
    try {
      const line = this.#input.line();
      connection = await McpConnection.open({
        ...limits,
        server: name,
        line,
        redact: this.#redact,
        onClose: () => connection && this.#lose(connection, line.epitaph()),
        onToolsChanged: () => this.#changed(),
        onError: (error) => void this.#trouble(connection, error),
      });
      this.#connection = connection;
      this.#connectedAt = performance.now();
      await this.#refresh(connection, limits);
    } catch (error) {
      if (this.#ended.signal.aborted) return connection?.close().catch(() => undefined);
      if (connection && this.#connection !== connection) return; // its loss was told, and is being made up for
      this.#connection = undefined;
      void connection?.close().catch(() => undefined);
      this.#fail(this.#textOf(error));
      return;
    }
    if (this.#connection !== connection) return; // it ended meanwhile
    this.#set('connected');
    this.#arrival.resolve(connection);
  }

  /** Asks for the list anew; what the server offered before stays when that fails. */
  #changed(): void {
    const connection = this.#connection;
    if (!connection) return;
    this.#resync = this.#resync.then(async () => {
      if (this.#connection !== connection) return;
      const limits = { timeoutMs: CONNECT_TIMEOUT_MS, signal: this.#ended.signal };
      await this.#refresh(connection, limits).catch((error: unknown) => {
        this.#notice(`its changed list of tools could not be read, so the last one stays: ${this.#textOf(error)}`);
      });
      this.#input.onChange();
    });
  }

  async #refresh(connection: McpConnection, limits: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
    const generation = await connection.generation(limits);
    if (this.#connection !== connection) return;
    this.#generation = generation;
    for (const notice of generation.notices) this.#notice(notice);
  }

  #lose(connection: McpConnection, why: string): void {
    if (this.#connection !== connection || this.#ended.signal.aborted) return;
    this.#connection = undefined;
    this.#closing = connection.close().catch(() => undefined);
    if (earnsAttempts(this.options.reconnect, performance.now() - this.#connectedAt)) this.#attempts = 0;
    this.#fail(why);
  }

  #fail(why: string): void {
    this.#lastFailure = this.#redact(why);
    if (this.#state === 'connected') {
      this.#arrival = Promise.withResolvers();
      this.#arrival.promise.catch(() => undefined);
    }
    const delay = reconnectDelay(this.options.reconnect, this.#attempts);
    if (delay === undefined) return this.#giveUp();
    this.#attempts += 1;
    this.#notice(`${this.#lastFailure}. Connecting again in ${delay} ms (attempt ${this.#attempts})`);
    this.#set('reconnecting');
    const timer = setTimeout(() => void this.#connect(), delay).unref();
    this.#ended.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #giveUp(): void {
    const { enabled } = this.options.reconnect;
    this.#notice(
      `${this.#lastFailure}. ${enabled ? 'Its tools are withdrawn: no attempt is left' : 'It is not connected again'}`,
    );
    if (enabled) this.#generation = undefined;
    this.#arrival.reject(new Error('gone'));
    this.#set(enabled ? 'gone' : 'disconnected');
  }

  async #connected(signal: AbortSignal): Promise<McpConnection> {
    if (this.#connection && this.#state === 'connected') return this.#connection;
    const { name, toolCallTimeoutMs } = this.options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(toolCallTimeoutMs)]);
    const stopped = Promise.withResolvers<never>();
    const onStop = () => stopped.reject(new Error('stopped'));
    limit.addEventListener('abort', onStop, { once: true });
    if (limit.aborted) onStop();
    try {
      return await Promise.race([this.#arrival.promise, stopped.promise]);
    } catch {
      signal.throwIfAborted();
      throw new Error(
        `MCP server "${name}" is not connected (${this.#state}): ${this.#lastFailure}. Nothing was called`,
      );
    } finally {
      limit.removeEventListener('abort', onStop);
    }
  }

  /** An HTTP connection does not notice that its server is gone; whatever goes wrong asks. */
  async #trouble(connection: McpConnection | undefined, error: Error): Promise<void> {
    if (!connection || this.#connection !== connection) return;
    if (!isUnreachable(error)) return;
    const probe = { method: 'ping', params: {}, timeoutMs: PROBE_MS, signal: this.#ended.signal };
    await connection.request(probe).catch((failure: unknown) => this.#lose(connection, this.#textOf(failure)));
  }

  #explain(connection: McpConnection, error: unknown): Error {
    const server = `MCP server "${this.options.name}"`;
    const why = this.#textOf(error);
    if (isUnreachable(error)) this.#lose(connection, why);
    if (this.#connection === connection) return new Error(this.#redact(`${server}: ${why}`));
    if (isRefused(error)) return new Error(this.#redact(`${server} cannot be reached: ${why}. Nothing was called`));
    return new Error(
      this.#redact(
        `${server} was lost while it worked on this call: ${this.#lastFailure}\n` +
          'What the call did is unknown; it was not repeated. The server is being connected to again',
      ),
    );
  }

  #textOf(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const { cause } = error;
    return cause instanceof Error && !error.message.includes(cause.message)
      ? `${error.message}: ${cause.message}`
      : error.message;
  }

  #notice(text: string): void {
    this.#input.onNotice(this.#redact(`MCP server "${this.options.name}": ${text}`));
  }

  #set(state: McpServerState): void {
    if (this.#state === 'closed') return;
    this.#state = state;
    this.#input.onChange();
  }
}

const afterMs = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
