import { writeSync } from 'node:fs';

/** A terminal takes about this much that nobody reads. */
const MOST_AT_ONCE = 4_096;
/** How often a terminal that took no more is offered the rest. */
const AGAIN_MS = 20;

interface Pending {
  bytes: Buffer;
  taken(): void;
}

/**
 * What is to be typed into a terminal, offered bit by bit as its program reads. The library's own stream asks a full
 * terminal again and again without a pause, and with it stand still all others of the process.
 */
export class Typing {
  readonly #isOpen: () => boolean;
  readonly #fd: number;
  #pending: Pending[] = [];
  #again: NodeJS.Timeout | undefined;

  /** `fd` is the terminal's master and answers at once, whether it took something or not. */
  constructor(fd: number, isOpen: () => boolean) {
    this.#fd = fd;
    this.#isOpen = isOpen;
  }

  /** `taken` is called once the terminal has all of the text, or is gone. */
  type(text: string, taken: () => void): void {
    this.#pending.push({ bytes: Buffer.from(text), taken });
    if (!this.#again) this.#offer();
  }

  /** Forgets what was not taken yet. */
  drop(): void {
    this.#pending = [];
    clearTimeout(this.#again);
    this.#again = undefined;
  }

  #offer(): void {
    this.#again = undefined;
    for (let [first] = this.#pending; first; [first] = this.#pending) {
      const took = this.#write(first.bytes.subarray(0, MOST_AT_ONCE));
      first.bytes = first.bytes.subarray(took);
      if (first.bytes.length === 0) this.#pending.shift()?.taken();
      else if (took < MOST_AT_ONCE) {
        this.#again = setTimeout(() => this.#offer(), AGAIN_MS);
        return;
      }
    }
  }

  #write(bytes: Buffer): number {
    if (!this.#isOpen()) return bytes.length; // the number may be another terminal's by now
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length;
    }
  }
}
