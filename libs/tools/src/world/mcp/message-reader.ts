import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** No server may send a longer message, over whatever line: it would take the worker's memory. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** What is said of one that did. */
export const tooLong = (maxBytes: number): string => `it sent a message of more than ${maxBytes} bytes`;

export interface MessageReaderInput {
  /** A longer line ends the conversation: nothing bounds what a program may print. */
  maxLineBytes: number;
  onMessage(message: JSONRPCMessage): void;
  /** A line that is no message, such as a log line of a careless program. */
  onNoise(line: string): void;
  onTooLong(): void;
}

const NEWLINE = 10;

/** Splits a program's output into protocol messages, one a line. */
export class MessageReader {
  readonly #input: MessageReaderInput;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(input: MessageReaderInput) {
    this.#input = input;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#line(Buffer.concat(this.#parts).toString('utf8'));
      this.#parts = [];
      this.#size = 0;
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= this.#input.maxLineBytes) return void this.#parts.push(part);
    this.#parts = [];
    this.#input.onTooLong();
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    const parsed = JSONRPCMessageSchema.safeParse(parse(line));
    if (parsed.success) this.#input.onMessage(parsed.data);
    else this.#input.onNoise(line);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
