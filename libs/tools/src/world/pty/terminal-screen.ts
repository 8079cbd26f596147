import { SHELL_PROMPT, type Terminal, type TerminalExit, type TerminalLines } from '../../kit/index.ts';
import { Sanitizer } from './sanitizer.ts';
import { Scrollback, type ScrollbackInput } from './scrollback.ts';
import { promptStatus } from './shell-backends.ts';

/** What a terminal showed so far, and word of each change. */
export class TerminalScreen {
  readonly #nonce: string;
  readonly #sanitizer = new Sanitizer();
  readonly #scrollback: Scrollback;
  readonly #listeners = new Set<(text: string) => void>();
  readonly #waiting = new Set<() => void>();
  /** A mark whose prompt has not been printed whole. */
  #mark: { place: number; status: number | undefined } | undefined;
  #firstPrompt: number | undefined;
  /** The place after the last prompt. */
  #promptEnd: number | undefined;
  #prompt: Terminal['prompt'] = { count: 0, status: undefined };
  #exit: TerminalExit | undefined;
  /** Nothing that is printed from now on means that anybody is ready. */
  closing = false;
  /** When something was printed last, by `performance.now()`. */
  printedAt = performance.now();

  constructor({ nonce, ...size }: ScrollbackInput & { nonce: string }) {
    this.#nonce = nonce;
    this.#scrollback = new Scrollback(size);
  }

  get prompt(): Terminal['prompt'] {
    return this.#prompt;
  }
  get exit(): TerminalExit | undefined {
    return this.#exit;
  }
  get end(): number {
    return this.#scrollback.end;
  }

  /** Whether nothing was printed after the last prompt. */
  get isAtPrompt(): boolean {
    return this.#promptEnd === this.end;
  }

  print(chunk: string): void {
    const { text, marks } = this.#sanitizer.push(chunk);
    const start = this.end;
    this.#scrollback.append(text);
    for (const { at, body } of marks) {
      const mark = promptStatus(body, this.#nonce);
      if (mark) this.#mark = { place: start + at, status: mark.status };
    }
    this.#findPrompt();
    if (text !== '') {
      this.printedAt = performance.now();
      for (const listener of this.#listeners) listener(text);
    }
    this.#tell();
  }

  ended(exit: TerminalExit): void {
    this.#exit = exit;
    this.#tell();
  }

  textFrom(place: number): { text: string; lost: boolean } {
    return this.#scrollback.textFrom(place);
  }

  lines(input: { offset: number; count: number }): TerminalLines {
    return this.#scrollback.lines(input);
  }

  /** What stood there before the first prompt. */
  beforePrompt(): string {
    const all = this.textFrom(0).text;
    return this.#firstPrompt === undefined ? all : all.slice(0, this.#firstPrompt);
  }

  onText(listener: (text: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves at the next change, and after `ms` at the latest. */
  changed(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = () => {
      clearTimeout(timer);
      this.#waiting.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    this.#waiting.add(done);
    return promise;
  }

  #findPrompt(): void {
    if (!this.#mark || !this.textFrom(this.#mark.place).text.startsWith(SHELL_PROMPT)) return;
    this.#firstPrompt ??= this.#mark.place;
    this.#promptEnd = this.#mark.place + SHELL_PROMPT.length;
    this.#prompt = { count: this.#prompt.count + 1, status: this.#mark.status };
    this.#mark = undefined;
  }

  #tell(): void {
    for (const done of this.#waiting) done();
  }
}
