import { characterHead, utf8Length } from '../kit/index.ts';

export interface LineWindowInput {
  /** First line to keep, from 1. */
  offset: number;
  /** Lines to keep at most. */
  limit: number;
  maxLineCharacters: number;
  /** UTF-8 bytes of kept text, one for each line joint; the first line is kept whatever its size. */
  maxBytes: number;
}

export interface LineWindowResult {
  lines: string[];
  /** Lines in the whole text; a trailing line end begins no line. */
  totalLines: number;
  /** Whether the byte limit ended the window before its line limit. */
  capped: boolean;
  /** Number of the first kept line that was cut. */
  firstCutLine: number | undefined;
}

/** Keeps a window of lines out of a text that arrives in pieces, without holding more than the window and one line. */
export class LineWindow {
  readonly #input: LineWindowInput;
  readonly #lines: string[] = [];
  #bytes = 0;
  #capped = false;
  #firstCutLine: number | undefined;
  #number = 1;
  /** Beginning of the current line, never much longer than what is shown of it. */
  #line = '';
  #lineLength = 0;
  #endsInReturn = false;

  constructor(input: LineWindowInput) {
    this.#input = input;
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#extend(text, from, end);
      this.#endLine();
      from = end + 1;
    }
    this.#extend(text, from, text.length);
  }

  finish(): LineWindowResult {
    if (this.#lineLength > 0) this.#endLine(false);
    return {
      lines: this.#lines,
      totalLines: this.#number - 1,
      capped: this.#capped,
      firstCutLine: this.#firstCutLine,
    };
  }

  #extend(text: string, from: number, to: number): void {
    if (from === to) return;
    // One unit more than shown tells a cut line from one that fits, one more may be the return to drop.
    const room = this.#input.maxLineCharacters + 2 - this.#line.length;
    if (room > 0 && this.#wanted()) this.#line += text.slice(from, Math.min(to, from + room));
    this.#lineLength += to - from;
    this.#endsInReturn = text[to - 1] === '\r';
  }

  #wanted(): boolean {
    const { offset, limit } = this.#input;
    return !this.#capped && this.#number >= offset && this.#lines.length < limit;
  }

  #endLine(byLineEnd = true): void {
    const dropsReturn = byLineEnd && this.#endsInReturn;
    if (this.#wanted()) this.#keep(this.#lineLength - (dropsReturn ? 1 : 0));
    this.#number += 1;
    this.#line = '';
    this.#lineLength = 0;
    this.#endsInReturn = false;
  }

  #keep(length: number): void {
    const { maxLineCharacters, maxBytes } = this.#input;
    const cut = length > maxLineCharacters;
    const line = cut
      ? `${characterHead(this.#line, maxLineCharacters)}... (line truncated to ${maxLineCharacters} chars)`
      : this.#line.slice(0, length);
    const bytes = utf8Length(line) + (this.#lines.length > 0 ? 1 : 0);
    if (this.#lines.length > 0 && this.#bytes + bytes > maxBytes) {
      this.#capped = true;
      return;
    }
    this.#bytes += bytes;
    this.#lines.push(line);
    if (cut) this.#firstCutLine ??= this.#number;
  }
}
