import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Conversation } from '../processes/local-processes.ts';
import { MAX_MESSAGE_BYTES, MessageReader, tooLong } from './message-reader.ts';
import { TextTail } from './text-tail.ts';

const STDERR_BYTES = 2_000;
/** How long a program may take to end by itself once its input has ended, and then again after SIGTERM. */
const GRACE_MS = 2_000;

/**
 * Speaks to a program of ours over its standard streams. The SDK's own transport ends one process and not what that
 * started, gives up on a long line, and forgets why a program died.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: () => Promise<Conversation>;
  readonly #stderr = new TextTail(STDERR_BYTES);
  #conversation: Conversation | undefined;
  #end: string | undefined;

  constructor(start: () => Promise<Conversation>) {
    this.#start = start;
  }

  async start(): Promise<void> {
    const conversation = await this.#start();
    this.#conversation = conversation;
    const { stdin, stdout, stderr, exited } = conversation;
    const reader = new MessageReader({
      maxLineBytes: MAX_MESSAGE_BYTES,
      onMessage: (message) => this.onmessage?.(message),
      onNoise: (line) => this.onerror?.(new Error(`printed a line that is no message: ${line.slice(0, 200)}`)),
      onTooLong: () => {
        this.#end ??= tooLong(MAX_MESSAGE_BYTES);
        void conversation.end(GRACE_MS);
      },
    });
    stdin.on('error', (error) => this.onerror?.(error));
    stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    void this.#whenEnded(exited, Promise.all([ended(stdout), ended(stderr)]));
  }

  async #whenEnded(exited: Conversation['exited'], streams: Promise<unknown>): Promise<void> {
    const { code, signal } = await exited;
    await Promise.race([streams, afterMs(500)]); // a child of its own may hold the pipes
    this.#end ??= signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
    this.#conversation = undefined;
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#conversation?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('Not connected'));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const conversation = this.#conversation;
    if (!conversation) return;
    this.#end ??= 'it was closed';
    conversation.stdin.end();
    await Promise.race([conversation.exited, afterMs(GRACE_MS)]);
    await conversation.end(GRACE_MS);
  }

  /** Why the program is gone, with the last it said on standard error. */
  epitaph(): string {
    const said = this.#stderr.toString();
    return `${this.#end ?? 'it closed the connection'}${said === '' ? '' : `; the end of its standard error:\n${said}`}`;
  }
}

const ended = (stream: NodeJS.ReadableStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('close', resolve);
    stream.once('end', resolve);
    stream.once('error', () => resolve());
  });

const afterMs = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
