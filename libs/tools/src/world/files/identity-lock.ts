/** Runs tasks of one key one after the other, in order of arrival; tasks of different keys do not wait. */
export class IdentityLock {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const { promise: mine, resolve: release } = Promise.withResolvers<void>();
    this.#tails.set(key, mine);
    await before;
    try {
      return await task();
    } finally {
      release();
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }
}
