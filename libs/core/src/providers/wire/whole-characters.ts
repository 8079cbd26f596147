/** Joins pieces of text so that no piece ends in half a character, as long as the other half may still come. */
export class WholeCharacters {
  #held = '';

  /** The text that may go out now. */
  push(piece: string): string {
    const text = this.#held + piece;
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#held = text.slice(cut);
    return text.slice(0, cut);
  }

  /** What was held back, once nothing more comes. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}
