import type { SessionId } from '@everturn/core/domain';

export interface SpillInput {
  session: SessionId;
  /** A suggestion such as `grep-results.txt`; any text is safe. */
  name: string;
  text: string;
}

/** Where a saved text is, and one sentence that tells the model how to read it. */
export interface Spilled {
  locator: string;
  hint: string;
}

/** Keeps texts that are too long to show. Two saves of one name never share a place. */
export interface SpillPort {
  save(input: SpillInput): Promise<Spilled>;
}
