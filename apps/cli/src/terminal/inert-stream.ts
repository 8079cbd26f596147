import { inert } from './inert.ts';

/** Makes a text inert that arrives in pieces cut anywhere, even inside a character or a line end. */
export class InertStream {
  #held = '';

  /** What can be shown so far; a piece's last half character or carriage return waits for the next piece. */
  push(piece: string): string {
    const text = this.#held + piece;
    const cut = /[\ud800-\udbff\r]$/.test(text) ? text.length - 1 : text.length;
    this.#held = text.slice(cut);
    return inert(text.slice(0, cut));
  }

  /** What was still held back. */
  end(): string {
    const rest = inert(this.#held);
    this.#held = '';
    return rest;
  }
}
