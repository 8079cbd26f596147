import type { TerminalLines } from '../../kit/index.ts';

export interface ScrollbackInput {
  maxLines: number;
  /** UTF-16 code units, which is what memory holds. */
  maxCharacters: number;
}

/** The end of what a terminal printed: whole lines are dropped from the front. */
export class Scrollback {
  readonly #input: ScrollbackInput;
  #lines: string[] = [];
  #dropped = { lines: 0, characters: 0 };
  #kept = 0;

  constructor(input: ScrollbackInput) {
    this.#input = input;
  }

  /** The place after the last character ever printed. */
  get end(): number {
    return this.#dropped.characters + this.#kept;
  }

  append(text: string): void {
    if (text === '') return;
    const [first = '', ...rest] = text.split('\n');
    if (this.#lines.length === 0) this.#lines.push(first);
    else this.#lines.push((this.#lines.pop() ?? '') + first);
    for (const line of rest) this.#lines.push(line);
    this.#kept += text.length;
    this.#trim();
  }

  /** What was printed from a place on; `lost` when its beginning was dropped. */
  textFrom(place: number): { text: string; lost: boolean } {
    const wanted = this.end - Math.max(place, this.#dropped.characters);
    const pieces: string[] = [];
    let have = 0;
    for (let at = this.#lines.length - 1; at >= 0 && have - 1 < wanted; at--) {
      const line = this.#lines[at] ?? '';
      pieces.push(line);
      have += line.length + 1;
    }
    const text = pieces.toReversed().join('\n');
    return { text: text.slice(text.length - Math.min(wanted, text.length)), lost: place < this.#dropped.characters };
  }

  /** Lines by their distance from the newest; an unfinished last line counts, an empty one does not. */
  lines({ offset, count }: { offset: number; count: number }): TerminalLines {
    const open = this.#lines.at(-1) === '' ? 1 : 0;
    const have = this.#lines.length - open;
    const last = Math.max(0, have - offset);
    const first = Math.max(0, last - count);
    const total = this.#dropped.lines + have;
    const text = this.#lines.slice(first, last).join('\n');
    if (last === first) return { text: '', begin: 0, end: 0, total };
    return { text, begin: this.#dropped.lines + first + 1, end: this.#dropped.lines + last, total };
  }

  #trim(): void {
    const { maxLines, maxCharacters } = this.#input;
    let drop = 0;
    let freed = 0;
    while (
      drop < this.#lines.length - 1 &&
      (this.#lines.length - drop > maxLines || this.#kept - freed > maxCharacters)
    ) {
      freed += (this.#lines[drop] ?? '').length + 1;
      drop += 1;
    }
    if (drop > 0) {
      this.#lines.splice(0, drop);
      this.#forget(drop, freed);
    }
    const over = this.#kept - maxCharacters;
    const [line] = this.#lines;
    if (over > 0 && line !== undefined) {
      this.#lines[0] = line.slice(over); // a single line that is longer than everything may be
      this.#forget(0, over);
    }
  }

  #forget(lines: number, characters: number): void {
    this.#dropped = { lines: this.#dropped.lines + lines, characters: this.#dropped.characters + characters };
    this.#kept -= characters;
  }
}
