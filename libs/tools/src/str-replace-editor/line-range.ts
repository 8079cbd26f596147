/** Characters of text kept; what is shown of it is clipped at fewer. */
const MAX_KEPT = 20_000;

/** Numbers a range of lines out of a text that arrives in pieces; a trailing line end begins one more, empty line. */
export class LineRange {
  readonly #range: readonly number[] | undefined;
  readonly #first: number;
  readonly #last: number;
  #number = 1;
  #line = '';
  #kept = 0;
  readonly #lines: string[] = [];

  /** First and last line, from 1, `-1` = to the end; absent: all. Checked at {@link finish}, when the end is known. */
  constructor(range: readonly number[] | undefined) {
    if (range && range.length !== 2)
      throw new Error(`Invalid \`view_range\`: [${range.join(', ')}]. It must hold exactly two integers.`);
    const [first = 1, last = -1] = range ?? [];
    this.#range = range;
    this.#first = first;
    this.#last = last === -1 ? Infinity : last;
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#extend(text, from, end);
      this.#endLine();
      this.#number += 1;
      from = end + 1;
    }
    this.#extend(text, from, text.length);
  }

  /** The numbered lines, and how many there are in all; throws for a range that does not lie within them. */
  finish(): { numbered: string; total: number } {
    this.#endLine();
    const total = this.#number;
    if (this.#range) checkRange(this.#range, total);
    return { numbered: this.#lines.join(''), total };
  }

  get #wanted(): boolean {
    return this.#number >= this.#first && this.#number <= this.#last && this.#kept < MAX_KEPT;
  }

  #extend(text: string, from: number, to: number): void {
    if (!this.#wanted) return;
    const part = text.slice(from, Math.min(to, from + MAX_KEPT - this.#line.length));
    this.#line += part;
  }

  #endLine(): void {
    if (this.#wanted) {
      this.#lines.push(`${String(this.#number).padStart(6)}  ${this.#line}\n`);
      this.#kept += this.#line.length + 1;
    }
    this.#line = '';
  }
}

function checkRange([first = 1, last = -1]: readonly number[], total: number): void {
  const refuse = (value: number, why: string) => new Error(`Invalid \`view_range\`: ${value}. ${why}`);
  if (first < 1 || first > total)
    throw refuse(first, `The first line must lie within the lines of the file: [1, ${total}]`);
  if (last !== -1 && last > total)
    throw refuse(last, `The last line must be at most the number of lines in the file, ${total}, or -1 for its end`);
  if (last !== -1 && last < first) throw refuse(last, `The last line must not come before the first, ${first}`);
}
