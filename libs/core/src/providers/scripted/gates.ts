/** Points where answers wait until a test lets them go on. A released gate stays open. */
export class Gates {
  readonly #gates = new Map<string, { reached: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> }>();

  /** Waits at a gate. */
  async pass(name: string): Promise<void> {
    const gate = this.#gate(name);
    gate.reached.resolve();
    await gate.released.promise;
  }

  /** Settles once an answer waits, or has waited, at the gate. */
  held(name: string): Promise<void> {
    return this.#gate(name).reached.promise;
  }

  /** Lets through whoever waits at the gate and all who come after. */
  release(name: string): void {
    this.#gate(name).released.resolve();
  }

  #gate(name: string): { reached: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } {
    let gate = this.#gates.get(name);
    if (!gate) {
      gate = { reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
      this.#gates.set(name, gate);
    }
    return gate;
  }
}
