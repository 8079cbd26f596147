import { StringDecoder } from 'node:string_decoder';
import type { OutputSpill } from './output-spill.ts';

/** Enough to tell why a program ended. */
const TAIL_BYTES = 4_096;

export interface UnreadStreamInput {
  /** The end that is kept of what nobody has read yet. */
  maxBytes: number;
  /** The stream is mirrored once it is longer than this; the beginning is kept until then. */
  spillAfterBytes: number;
  spill?: OutputSpill;
}

/** What a stream has brought since it was last read, in constant memory however much it brings. */
export class UnreadStream {
  readonly #input: UnreadStreamInput;
  readonly #decoder = new StringDecoder('utf8');
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #dropped = false;
  /** The beginning, until it is clear whether the stream must be mirrored. */
  #beginning: Buffer[] | undefined = [];
  #totalBytes = 0;
  #tail = Buffer.alloc(0);

  constructor(input: UnreadStreamInput) {
    this.#input = input;
  }

  /** Takes the next piece; resolves when the next may come. */
  async push(chunk: Buffer): Promise<void> {
    this.#totalBytes += chunk.length;
    this.#tail = Buffer.from(Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES));
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes > 2 * this.#input.maxBytes) this.#compact();
    await this.#mirror(chunk);
  }

  /** What is new, cut at characters; a character that is not complete yet comes with the rest of it. */
  read(end: 'more' | 'last' = 'more'): { text: string; dropped: boolean } {
    this.#compact();
    const bytes = Buffer.concat(this.#unread);
    const dropped = this.#dropped;
    this.#unread = [];
    this.#unreadBytes = 0;
    this.#dropped = false;
    // Where the beginning was cut off, a character may have been cut in two.
    const text = this.#decoder.write(dropped ? bytes.subarray(firstCharacter(bytes)) : bytes);
    return { text: end === 'last' ? text + this.#decoder.end() : text, dropped };
  }

  /** The last of the stream, read or not. */
  get tail(): string {
    return this.#tail.toString('utf8');
  }

  /** Where the whole stream lies so far, if it is mirrored. */
  get path(): string | undefined {
    return this.#input.spill?.path;
  }

  async finish(): Promise<void> {
    await this.#input.spill?.finish();
  }

  #compact(): void {
    const excess = this.#unreadBytes - this.#input.maxBytes;
    if (excess <= 0) return;
    this.#unread = [Buffer.from(Buffer.concat(this.#unread).subarray(excess))];
    this.#unreadBytes = this.#input.maxBytes;
    this.#dropped = true;
    this.#decoder.end(); // half a character of before belongs to what was dropped
  }

  async #mirror(chunk: Buffer): Promise<void> {
    const { spill, spillAfterBytes } = this.#input;
    if (!spill) return;
    if (!this.#beginning) return spill.write(chunk);
    this.#beginning.push(chunk);
    if (this.#totalBytes <= spillAfterBytes) return;
    const pieces = this.#beginning;
    this.#beginning = undefined;
    await Promise.all(pieces.map((piece) => spill.write(piece)));
  }
}

function firstCharacter(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
