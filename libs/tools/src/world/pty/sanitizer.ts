/** A sequence that never ends must not swallow what follows it. */
const MOST_PENDING = 4_096;

const ESC = '\u001B';
/** Complete sequences: CSI; OSC and its kin up to BEL or ST; short escapes. */
const SEQUENCE = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]PX^_](?<body>[^\\u0007${ESC}]*)(?:\\u0007|${ESC}\\\\)`,
    `${ESC}[ -/]*[0-OQ-WYZ\\\\\`-~]`,
  ].join('|'),
  'g',
);
/** What may still become one. */
const BEGUN = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\u0007${ESC}]*${ESC}?|[ -/]*)$`);
// oxlint-disable-next-line no-control-regex -- taking these away is the point
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/** Clean text, and the OSC sequences that stood in it, by place. */
export interface CleanText {
  text: string;
  marks: { at: number; body: string }[];
}

/** Turns what a program sends to a terminal into plain lines, whatever the pieces it arrives in. */
export class Sanitizer {
  #pending = '';
  #afterReturn = false;

  push(chunk: string): CleanText {
    let input = this.#pending + chunk;
    const begun = BEGUN.exec(input);
    this.#pending = begun && input.length - begun.index <= MOST_PENDING ? input.slice(begun.index) : '';
    if (this.#pending !== '') input = input.slice(0, -this.#pending.length);
    const marks: CleanText['marks'] = [];
    let text = '';
    let from = 0;
    for (const match of input.matchAll(SEQUENCE)) {
      text += this.#plain(input.slice(from, match.index));
      from = match.index + match[0].length;
      const body = match.groups?.['body'];
      if (body !== undefined && match[0].startsWith(`${ESC}]`)) marks.push({ at: text.length, body });
    }
    return { text: text + this.#plain(input.slice(from)), marks };
  }

  /** Every kind of line end becomes `\n`, also one that is cut between two pieces. */
  #plain(piece: string): string {
    if (piece === '') return '';
    const continued = this.#afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#afterReturn = piece.endsWith('\r');
    return continued.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '');
  }
}
