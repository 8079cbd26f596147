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
  /** A text whose locator is no path, for a session that may read it. Absent: every locator is a path. */
  open?(locator: string, session: SessionId): Promise<string | undefined>;
}

const LOCATOR = /^spill:([0-9a-f]{32})\/[A-Za-z0-9._~-]*$/;

/** The locator of a text that is kept by id; its name is for people. */
export const spillLocator = (id: string, name: string): string =>
  `spill:${id}/${name.replaceAll(/[^A-Za-z0-9._-]/g, '~').slice(0, 100)}`;

/** The id in such a locator; `undefined` for anything else. */
export const spillOf = (locator: string): string | undefined => LOCATOR.exec(locator)?.[1];
