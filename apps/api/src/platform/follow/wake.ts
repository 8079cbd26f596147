/** A bell that remembers one ring: whoever waits next, or waits already, is woken once. */
export class Wake {
  #rung = false;
  #waiting: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#waiting?.();
  }

  /** Resolves once the bell has rung since the last call. */
  async next(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#waiting = resolve));
    this.#waiting = undefined;
    this.#rung = false;
  }
}
