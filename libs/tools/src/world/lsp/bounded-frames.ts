import { Transform, type TransformCallback } from 'node:stream';

const MAX_HEADER_BYTES = 8_192;
const END_OF_HEADER = Buffer.from('\r\n\r\n');

/**
 * Passes a server's messages through unchanged and breaks off at one that is longer than `maxBytes`, before
 * anybody has to hold it: the reader behind it collects whatever length a header announces.
 */
export class BoundedFrames extends Transform {
  readonly #maxBytes: number;
  #header = Buffer.alloc(0);
  /** What is left of the message whose header was read. */
  #left = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.#count(chunk);
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  #count(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0;) {
      if (this.#left > 0) {
        const body = Math.min(this.#left, rest.length);
        this.#left -= body;
        rest = rest.subarray(body);
        continue;
      }
      const known = this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, MAX_HEADER_BYTES + END_OF_HEADER.length - known)]);
      const end = this.#header.indexOf(END_OF_HEADER);
      if (end < 0 && this.#header.length >= MAX_HEADER_BYTES)
        throw new Error(`the language server sent a header of more than ${MAX_HEADER_BYTES} bytes`);
      if (end < 0) return;
      rest = rest.subarray(end + END_OF_HEADER.length - known);
      this.#left = this.#lengthIn(this.#header.subarray(0, end).toString('latin1'));
      this.#header = Buffer.alloc(0);
    }
  }

  #lengthIn(header: string): number {
    const length = Number(/^content-length:\s*(\d+)\s*$/im.exec(header)?.[1]);
    if (Number.isNaN(length)) throw new Error('the language server wrote something else than messages to its output');
    if (length > this.#maxBytes)
      throw new Error(`the language server sent a message of ${length} bytes, more than ${this.#maxBytes}`);
    return length;
  }
}
