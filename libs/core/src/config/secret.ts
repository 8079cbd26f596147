import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A value that must not be printed: shows as `[secret]` in logs, JSON and inspection. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  /** The value itself; call it only where the value leaves for its one consumer. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
