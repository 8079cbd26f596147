import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  ConnectionError,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { z } from 'zod';
import { ToolError, type LspAnswer, type LspOperation } from '../../kit/index.ts';
import { answerServer } from './answer-server.ts';
import { BoundedFrames } from './bounded-frames.ts';
import { CLIENT_CAPABILITIES } from './client-capabilities.ts';
import { methodOf, paramsOf, ServerCapabilities } from './operations.ts';
import { readAnswer } from './read-answer.ts';
import { startServer, type ServerProcess, type StartServerInput } from './server-process.ts';
import { Overdue, within } from './within.ts';

const MAX_MESSAGE_BYTES = 16_000_000;
const SHUTDOWN_MS = 5_000;
/** Between SIGTERM and SIGKILL. */
const KILL_GRACE_MS = 2_000;

/** Between the end of a server's output and its own. */
const CLOSING_MS = 1_000;

const InitializeResult = z.object({ capabilities: ServerCapabilities });

/** The server is gone or no longer makes sense; a fresh process may do better. */
export class ServerGone extends Error {
  override name = 'ServerGone';
}

/** A document as it is shown to a server for one question. */
export interface OpenedDocument {
  path: string;
  languageId: string;
  text: string;
}

export interface AskInput {
  operation: LspOperation;
  document: OpenedDocument;
  position: { line: number; character: number };
  signal: AbortSignal;
}

/** One process that speaks the language server protocol. Ask one question at a time. */
export class LanguageServer {
  readonly #id: string;
  readonly #graceMs: number;
  readonly #process: ServerProcess;
  readonly #connection: MessageConnection;
  readonly #registered = new Set<string>();
  readonly #gone: Promise<ServerGone>;
  #capabilities: ServerCapabilities = {};
  #alive = true;

  private constructor({ definition, workspace, graceMs }: StartServerInput, process: ServerProcess) {
    this.#id = definition.id;
    this.#graceMs = graceMs;
    this.#process = process;
    const frames = process.stdout.pipe(new BoundedFrames(MAX_MESSAGE_BYTES));
    this.#connection = createMessageConnection(new StreamMessageReader(frames), new StreamMessageWriter(process.stdin));
    this.#gone = new Promise((resolve) => {
      const end = (why: string) => {
        this.#alive = false;
        resolve(new ServerGone(why));
      };
      // Its end, when that follows, explains more.
      const endFor = (why: string) => {
        this.#alive = false;
        const { id } = definition;
        void within(CLOSING_MS, process.exited)
          .catch(() => `language server "${id}"${why}`)
          .then(end);
      };
      frames.on('error', ({ message }) => end(message));
      this.#connection.onError(([{ message }]) => endFor(`: ${message}`));
      this.#connection.onClose(() => endFor(' closed its output'));
      void process.exited.then(end);
    });
    const folder = { uri: pathToFileURL(workspace).href, name: basename(workspace) };
    const registered = (method: string) => void this.#registered.add(method);
    answerServer(this.#connection, definition, { folder, registered });
    this.#connection.listen();
  }

  /** Starts a server and shakes hands; when that fails or the signal is raised nothing of it is left. */
  static async start(input: StartServerInput): Promise<LanguageServer> {
    const server = new LanguageServer(input, await startServer(input));
    try {
      await server.#initialize(input);
      return server;
    } catch (error) {
      await server.kill();
      throw error;
    }
  }

  /** Whether it can be asked. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Shows a document, asks about a place in it, and takes the document away. Throws {@link ServerGone}. */
  async ask({ operation, document, position, signal }: AskInput): Promise<LspAnswer> {
    const method = methodOf(operation, {
      id: this.#id,
      capabilities: this.#capabilities,
      registered: this.#registered,
    });
    const uri = pathToFileURL(document.path).href;
    const { languageId, text } = document;
    const opened = this.#notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    try {
      await this.#unlessAborted(opened, signal);
      const result = await this.#request(method, paramsOf(operation, uri, position), signal, this.#graceMs);
      return readAnswer(operation, this.#id, result);
    } finally {
      if (this.#alive) await this.#orKill(this.#notify('textDocument/didClose', { textDocument: { uri } }));
    }
  }

  /** Says goodbye first, then makes sure. */
  async stop(): Promise<void> {
    const goodbye = async () => {
      await this.#connection.sendRequest('shutdown');
      await this.#connection.sendNotification('exit');
      await this.#process.exited;
    };
    if (this.#alive) await within(SHUTDOWN_MS, goodbye()).catch(() => undefined);
    await this.kill();
  }

  /** Ends the process and all it started. */
  async kill(): Promise<void> {
    this.#alive = false;
    await this.#process.group.terminate(KILL_GRACE_MS);
    this.#connection.dispose();
  }

  async #initialize({ definition, workspace, signal }: StartServerInput): Promise<void> {
    const uri = pathToFileURL(workspace).href;
    const result = await this.#request(
      'initialize',
      {
        processId: this.#process.confined ? null : process.pid,
        clientInfo: { name: 'everturn' },
        rootUri: uri,
        workspaceFolders: [{ uri, name: basename(workspace) }],
        capabilities: CLIENT_CAPABILITIES,
        ...(definition.initializationOptions !== undefined && {
          initializationOptions: definition.initializationOptions,
        }),
      },
      signal,
      0, // whatever comes of it will be killed
    );
    const said = InitializeResult.safeParse(result);
    if (!said.success)
      throw new ToolError('LSP_MALFORMED_RESPONSE', `language server "${this.#id}" does not say what it can do`);
    this.#capabilities = said.data.capabilities;
    const { positionEncoding = 'utf-16' } = this.#capabilities;
    if (positionEncoding !== 'utf-16')
      throw new Error(`language server "${this.#id}" counts columns in ${positionEncoding}, not in utf-16`);
    await this.#unlessAborted(this.#notify('initialized', {}), signal);
  }

  /** A request that ends with its answer, the server's end, or the signal: then the server is told, and has a grace. */
  async #request(method: string, params: object, signal: AbortSignal, graceMs: number): Promise<unknown> {
    const cancellation = new CancellationTokenSource();
    const settled = this.#untilGone(() => this.#connection.sendRequest<unknown>(method, params, cancellation.token));
    const aborted = whenAborted(signal);
    try {
      const first = await Promise.race([settled.then((value) => ({ value })), aborted.promise]);
      if (first !== 'aborted') return first.value;
      cancellation.cancel();
      const obeyed = await within(graceMs, settled).then(
        () => true,
        (error: unknown) => !(error instanceof Overdue),
      );
      if (!obeyed) await this.kill();
      throw new ToolError('ABORTED', 'tool call aborted');
    } finally {
      aborted.stop();
      cancellation.dispose();
    }
  }

  /** A server that has stopped to read takes no word of a cancel either: after its grace it is ended. */
  async #unlessAborted(written: Promise<void>, signal: AbortSignal): Promise<void> {
    const aborted = whenAborted(signal);
    try {
      if ((await Promise.race([written, aborted.promise])) !== 'aborted') return;
      await this.#orKill(written);
      throw new ToolError('ABORTED', 'tool call aborted');
    } finally {
      aborted.stop();
    }
  }

  /** What a server does not take within its grace is the last it was told. */
  async #orKill(written: Promise<void>): Promise<void> {
    try {
      await within(this.#graceMs, written);
    } catch (error) {
      if (!(error instanceof Overdue)) throw error;
      await this.kill();
    }
  }

  #notify(method: string, params: object): Promise<void> {
    return this.#untilGone(() => this.#connection.sendNotification(method, params));
  }

  /**
   * What the connection says, unless the server is gone: why it went explains more. A connection that is closed already
   * throws when it is asked.
   */
  async #untilGone<T>(ask: () => Promise<T>): Promise<T> {
    const gone = this.#gone.then((error): never => {
      throw error;
    });
    gone.catch(() => undefined); // where asking throws at once, nobody waits for it
    try {
      return await Promise.race([ask(), gone]);
    } catch (error) {
      if (error instanceof ServerGone) throw error;
      if (!this.#alive || error instanceof ConnectionError) throw await this.#gone;
      throw new Error(`language server "${this.#id}" answered with an error`, { cause: error });
    }
  }
}

function whenAborted(signal: AbortSignal): { promise: Promise<'aborted'>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<'aborted'>();
  const onAbort = () => resolve('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return { promise, stop: () => signal.removeEventListener('abort', onAbort) };
}
