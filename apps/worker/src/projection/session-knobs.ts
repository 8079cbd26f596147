import type { StepKnobs } from '@everturn/core/domain';
import { readKnobs, readSession, type Database } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { SessionRef } from '../contract/index.ts';

/** What changes only between two steps, as the log and the session's creation say; nothing where it never was touched. */
export async function sessionKnobs(database: Database, ref: SessionRef): Promise<StepKnobs | undefined> {
  const row = await readSession(database, ref);
  // Validated when it was written, by whoever started the session.
  const { planMode = false } = (row?.options ?? {}) as SessionOptions;
  return readKnobs(database, ref, { planMode });
}
