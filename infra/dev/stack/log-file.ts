import { createWriteStream, existsSync, mkdirSync, renameSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

const keptBytes = 20_000;

/** A service's log: everything goes to the file, the end of it also stays at hand for error messages. */
export class LogFile {
  readonly path: string;
  #tail = '';
  #stream: WriteStream;

  /** Keeps the log of the start before as `<name>.previous.log`. */
  constructor(folder: string, name: string) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, `${name}.log`);
    if (existsSync(this.path)) renameSync(this.path, join(folder, `${name}.previous.log`));
    this.#stream = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    // A full disk must not take the stack down with it.
    this.#stream.on('error', () => {});
  }

  write(text: string): void {
    this.#tail = (this.#tail + text).slice(-keptBytes);
    this.#stream.write(text);
  }

  /** The last lines written. */
  tail(lines = 20): string {
    return this.#tail.trimEnd().split('\n').slice(-lines).join('\n');
  }
}
