import { characterHead } from '../utf8.ts';

/** What stands around a command's output, and how much of the output is kept. */
export interface CommandOutputInput {
  start: string;
  /** Followed by a status and a line end. */
  end: string;
  maxChars: number;
}

/** The longest status, with its line end: a piece that may still hold the end marker is not output yet. */
const STATUS_ROOM = 24;

/** Finds one command's output in what a shell prints, as it arrives; keeps its beginning. */
export class CommandOutput {
  readonly #input: CommandOutputInput;
  #started = false;
  #pending = '';
  #kept = '';
  #total = 0;
  #status: number | undefined;

  constructor(input: CommandOutputInput) {
    this.#input = input;
  }

  /** Whether the shell has begun with the command. */
  get started(): boolean {
    return this.#started;
  }

  /** The command's status once it has ended. */
  get status(): number | undefined {
    return this.#status;
  }

  push(text: string): void {
    if (this.#status !== undefined) return;
    this.#pending += text;
    if (!this.#started && !this.#findStart()) return;
    const at = this.#pending.indexOf(this.#input.end);
    if (at >= 0 && this.#findStatus(at)) return;
    // An end marker whose digits or line end are still missing stays pending, whole or in part.
    const safe = at >= 0 ? at : this.#pending.length - this.#input.end.length - STATUS_ROOM;
    if (safe > 0) this.#keep(safe);
  }

  /** The output so far: without its last line end, its beginning where it is too long. */
  text(): string {
    const rest = this.#started && this.#status === undefined ? this.#pending : '';
    const all = this.#kept + rest.slice(0, Math.max(0, this.#input.maxChars + 1 - this.#kept.length));
    const total = this.#total + rest.length;
    const trimmed = total === all.length && all.endsWith('\n') ? all.slice(0, -1) : all;
    if (trimmed.length <= this.#input.maxChars) return trimmed;
    const head = characterHead(trimmed, this.#input.maxChars);
    return `${head}<response clipped><NOTE>Only the beginning of ${total} characters is shown. Write the output to a file and find the lines you need with \`grep -n\`.</NOTE>`;
  }

  #findStart(): boolean {
    const at = this.#pending.indexOf(this.#input.start);
    if (at < 0) {
      this.#pending = this.#pending.slice(-this.#input.start.length);
      return false;
    }
    const from = at + this.#input.start.length;
    if (this.#pending.length <= from) return false; // its line end is still to come
    this.#started = true;
    this.#pending = this.#pending.slice(this.#pending[from] === '\n' ? from + 1 : from);
    return true;
  }

  #findStatus(at: number): boolean {
    const match = /^:(-?\d+)\n/.exec(this.#pending.slice(at + this.#input.end.length));
    if (!match) return false;
    this.#keep(at);
    this.#status = Number(match[1]);
    return true;
  }

  #keep(length: number): void {
    const room = this.#input.maxChars + 1 - this.#kept.length;
    if (room > 0) this.#kept += this.#pending.slice(0, Math.min(length, room));
    this.#total += length;
    this.#pending = this.#pending.slice(length);
  }
}
