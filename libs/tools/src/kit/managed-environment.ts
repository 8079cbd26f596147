import type { SessionId } from '@everturn/core/domain';

/** Every variable that only our own code sets starts so, and none of that name is inherited. */
export const MANAGED_PREFIX = 'EVERTURN_';
const KEY = /^EVERTURN_[A-Z][A-Z0-9_]*$/;
const RESERVED = new Set(['EVERTURN_HOME', 'EVERTURN_SHELL', 'EVERTURN_SESSION_ID']);

export interface ManagedEnvironmentInput {
  /** Directory of the deployment's own state, absolute. */
  home: string;
  /** Absent for processes that no session owns. */
  session?: SessionId;
}

/** Trusted code that adds variables to every call; `keys` lists all it may ever set. */
export interface ManagedEnvironmentSource {
  owner: string;
  keys: readonly string[];
  collect(input: ManagedEnvironmentInput): Readonly<Record<string, string>>;
}

/** Collects the managed variables of a call. */
export class ManagedEnvironment {
  readonly #sources = new Map<string, ManagedEnvironmentSource>();

  /** Adds a source and returns its removal; throws for a second source of one owner or a key it may not own. */
  register(source: ManagedEnvironmentSource): () => void {
    if (this.#sources.has(source.owner)) throw new Error(`environment source "${source.owner}" is registered already`);
    for (const key of source.keys) {
      if (!KEY.test(key)) throw new Error(`environment key "${key}" must match ${KEY.source}`);
      if (RESERVED.has(key)) throw new Error(`environment key "${key}" is reserved`);
    }
    this.#sources.set(source.owner, source);
    return () => void this.#sources.delete(source.owner);
  }

  /** The variables of one call, frozen and sorted by name. */
  collect(input: ManagedEnvironmentInput): Readonly<Record<string, string>> {
    const entries = new Map([
      ['EVERTURN_HOME', input.home],
      ['EVERTURN_SHELL', '1'],
    ]);
    if (input.session !== undefined) entries.set('EVERTURN_SESSION_ID', input.session);
    for (const source of this.#sources.values()) {
      for (const [key, value] of Object.entries(source.collect(input))) {
        if (!source.keys.includes(key)) throw new Error(`source "${source.owner}" did not declare "${key}"`);
        if (entries.has(key)) throw new Error(`environment key "${key}" of "${source.owner}" is set already`);
        if (typeof value !== 'string') throw new Error(`environment key "${key}" must be a string`);
        entries.set(key, value);
      }
    }
    return Object.freeze(Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  }
}
