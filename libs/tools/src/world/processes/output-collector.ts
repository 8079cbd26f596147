import { headBytes, tailBytes, type CapturedOutput } from '../../kit/index.ts';
import type { OutputSpill } from './output-spill.ts';

/** What is kept of the beginning of a stream that is cut; enough to see what it is. */
const HEAD_BYTES = 2048;

export interface OutputCollectorInput {
  /** The end that is kept, exactly this many bytes. */
  maxBytes: number;
  /** Gets the whole stream once it is longer than `maxBytes`. */
  spill?: OutputSpill;
}

/** Keeps the end of a stream in constant memory, however long the stream is. */
export class OutputCollector {
  readonly #maxBytes: number;
  readonly #spill: OutputSpill | undefined;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #totalBytes = 0;
  #head: Buffer = Buffer.alloc(0);
  #finished = false;

  constructor({ maxBytes, spill }: OutputCollectorInput) {
    this.#maxBytes = maxBytes;
    this.#spill = spill;
  }

  get truncated(): boolean {
    return this.#totalBytes > this.#maxBytes;
  }

  /** Takes the next piece; resolves when the next may come. What comes after `finish` is dropped. */
  async push(chunk: Buffer): Promise<void> {
    if (this.#finished) return;
    const wasTruncated = this.truncated;
    this.#totalBytes += chunk.length;
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)]);
    this.#kept.push(chunk);
    this.#keptBytes += chunk.length;
    if (this.truncated) {
      const missing = wasTruncated ? [chunk] : this.#kept; // nothing was dropped before now
      const spill = this.#spill;
      if (spill) await Promise.all(missing.map((piece) => spill.write(piece)));
    }
    if (this.#keptBytes > 2 * this.#maxBytes) this.#compact();
  }

  /** What was captured so far; closes the spill file. Call it once. */
  async finish(): Promise<CapturedOutput> {
    this.#finished = true;
    this.#compact();
    const bytes = this.#kept[0] ?? Buffer.alloc(0);
    const totalBytes = this.#totalBytes;
    if (!this.truncated) return { text: decode(bytes), truncated: false, totalBytes };
    const tail = tailBytes(bytes, this.#maxBytes);
    const omitted = totalBytes - this.#maxBytes;
    const head = decode(headBytes(this.#head, Math.min(HEAD_BYTES, omitted)));
    const spillPath = await this.#spill?.finish();
    return { text: decode(tail), truncated: true, totalBytes, head, ...(spillPath !== undefined && { spillPath }) };
  }

  #compact(): void {
    const all = Buffer.concat(this.#kept);
    // A few bytes more than wanted, so that the cut can be told to lie inside a character.
    const last = all.subarray(Math.max(0, all.length - this.#maxBytes - 3));
    this.#kept = [last.length === all.length ? all : Buffer.from(last)];
    this.#keptBytes = last.length;
  }
}

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
