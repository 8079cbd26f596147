import { utf8Tail } from '../../kit/index.ts';

/** Keeps the end of a stream of text, for the one who asks why a program ended. */
export class TextTail {
  readonly #maxBytes: number;
  #kept = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk]);
    this.#kept = all.subarray(Math.max(0, all.length - this.#maxBytes - 4)); // room for half a character
  }

  toString(): string {
    return utf8Tail(this.#kept.toString('utf8'), this.#maxBytes).trim();
  }
}
