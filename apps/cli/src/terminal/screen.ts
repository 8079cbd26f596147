import type { Style } from './style.ts';

/** Where a view writes: a terminal, a pipe, or a test. */
export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean;
  /** Width of a terminal. */
  columns?: number;
}

/** How long nothing may be said before a wait is shown, in ms; a pipe is told less often. */
const TERMINAL_EVERY_MS = 1_000;
const PIPE_EVERY_MS = 10_000;
const ERASE_LINE = '\r\u001b[2K';

/**
 * Writes text and lines in order and, while nothing comes, what is being waited for: on a terminal as a line that is
 * erased again, elsewhere as a line now and then. Text must be inert before it gets here.
 */
export class Screen {
  readonly style: Style;
  readonly #sink: Sink;
  readonly #ticker: NodeJS.Timeout;
  #atLineStart = true;
  #afterBlank = true;
  #statusShown = false;
  #waiting: { what: string; since: number } | undefined;
  #lastWord = Date.now();

  constructor({ sink, style }: { sink: Sink; style: Style }) {
    this.#sink = sink;
    this.style = style;
    this.#ticker = setInterval(() => this.#tick(Date.now()), TERMINAL_EVERY_MS);
    this.#ticker.unref();
  }

  /** Writes a piece of running text, dressed by `paint` if given. */
  text(text: string, paint: (text: string) => string = String): void {
    if (text === '') return;
    this.#eraseStatus();
    this.#sink.write(paint(text));
    this.#atLineStart = text.endsWith('\n');
    this.#afterBlank = text === '\n' && this.#afterBlank;
    this.#lastWord = Date.now();
  }

  /** Writes a line of its own, ending the running text first. */
  line(line = ''): void {
    this.endLine();
    this.text(`${line}\n`);
    this.#afterBlank = line === '';
  }

  /** Leaves one blank line, unless there is one. */
  gap(): void {
    this.endLine();
    if (!this.#afterBlank) this.line();
  }

  /** Ends a line that running text left open. */
  endLine(): void {
    if (!this.#atLineStart) this.text('\n');
  }

  /** Says what the next silence will be about; undefined = nothing is waited for. */
  waitFor(what: string | undefined): void {
    if (what === this.#waiting?.what) return;
    this.#waiting = what === undefined ? undefined : { what, since: Date.now() };
    if (what === undefined) this.#eraseStatus();
  }

  /** Stops showing waits and ends the open line. */
  close(): void {
    clearInterval(this.#ticker);
    this.waitFor(undefined);
    this.endLine();
  }

  #tick(now: number): void {
    if (!this.#waiting) return;
    const seconds = Math.round((now - this.#waiting.since) / 1_000);
    const tail = ` (${seconds} s)`;
    // A status that wraps could not be erased.
    const room = Math.max(10, (this.#sink.isTTY ? (this.#sink.columns ?? 80) : 200) - tail.length - 5);
    const status = this.style.dim(`  … ${cut(this.#waiting.what, room)}${tail}`);
    if (this.#sink.isTTY) {
      // A line the model left open is not erased for a status.
      if (!this.#atLineStart || now - this.#lastWord < TERMINAL_EVERY_MS - 100) return;
      this.#sink.write(`${ERASE_LINE}${status}`);
      this.#statusShown = true;
    } else if (now - this.#lastWord >= PIPE_EVERY_MS) {
      this.line(status);
    }
  }

  #eraseStatus(): void {
    if (this.#statusShown) this.#sink.write(ERASE_LINE);
    this.#statusShown = false;
  }
}

function cut(text: string, columns: number): string {
  // Characters beyond Latin may be two columns wide.
  const wide = /[^\u0000-\u10ff\u2010-\u2bff]/u;
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += wide.test(character) ? 2 : 1;
    if (used > columns) return `${[...kept].slice(0, -1).join('')}…`;
    kept += character;
  }
  return kept;
}
