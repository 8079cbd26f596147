import { randomBytes } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

let counter = 0;

export interface OutputSpillInput {
  /** A private directory (0700) that exists. */
  folder: string;
  stream: 'stdout' | 'stderr';
  maxBytes: number;
}

/** A file that mirrors a whole stream; one that grows past its limit or cannot be written is given up and deleted. */
export class OutputSpill {
  static readonly #open = new Set<string>();
  readonly #path: string;
  readonly #maxBytes: number;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #begun = false;
  #failed = false;
  #finished = false;
  #writing: Promise<void> = Promise.resolve();

  /** Whether this process still writes to that file. */
  static isOpen(path: string): boolean {
    return OutputSpill.#open.has(path);
  }

  constructor({ folder, stream, maxBytes }: OutputSpillInput) {
    const name = `everturn-subprocess-${process.pid}-${++counter}-${randomBytes(6).toString('hex')}-${stream}.log`;
    this.#path = join(folder, name);
    this.#maxBytes = maxBytes;
  }

  /** Where the copy lies, while it is whole. */
  get path(): string | undefined {
    return this.#failed || !this.#begun ? undefined : this.#path;
  }

  /** Takes the next piece; what comes after `finish` is dropped, as nobody hears it any more. */
  write(chunk: Buffer): Promise<void> {
    if (!this.#finished && !this.#failed) this.#writing = this.#writing.then(() => this.#write(chunk));
    return this.#writing;
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.#failed) return;
    this.#bytes += chunk.length;
    try {
      if (this.#bytes > this.#maxBytes) return await this.#giveUp();
      this.#handle ??= await open(this.#path, 'wx', 0o600);
      this.#begun = true;
      OutputSpill.#open.add(this.#path);
      await this.#handle.writeFile(chunk);
    } catch {
      await this.#giveUp(); // a full disk costs the copy, never the call
    }
  }

  /** The file's path, or `undefined` when there is no complete copy. */
  async finish(): Promise<string | undefined> {
    this.#finished = true;
    await this.#writing;
    OutputSpill.#open.delete(this.#path);
    await this.#handle?.close().catch(() => undefined);
    return this.#failed || !this.#handle ? undefined : this.#path;
  }

  async #giveUp(): Promise<void> {
    this.#failed = true;
    OutputSpill.#open.delete(this.#path);
    await this.#handle?.close().catch(() => undefined);
    await rm(this.#path, { force: true }).catch(() => undefined);
    this.#handle = undefined;
  }
}
