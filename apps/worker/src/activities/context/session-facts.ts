import { ApplicationFailure } from '@temporalio/common';
import type { SessionHeader } from '@everturn/core/domain';
import type { SessionOptions } from '@everturn/core/protocol';
import { readSession, type Database } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import { BoundedCache } from './bounded-cache.ts';

/** What a session was created as; never changes. */
export interface SessionFacts {
  header: SessionHeader;
  options: SessionOptions;
}

const SESSIONS_KEPT = 5_000;

/** Facts of sessions, read once per worker. */
export class SessionFactsReader {
  readonly #database: Database;
  readonly #known = new BoundedCache<SessionFacts>({ maxWeight: SESSIONS_KEPT });

  constructor(input: { database: Database }) {
    this.#database = input.database;
  }

  /** The facts of a session; throws `SESSION_NOT_FOUND`, which no retry mends. */
  async read({ tenant, session }: Pick<SessionRef, 'tenant' | 'session'>): Promise<SessionFacts> {
    const key = `${tenant}/${session}`;
    const known = this.#known.get(key);
    if (known) return known;
    const row = await readSession(this.#database, { tenant, session });
    if (!row) throw ApplicationFailure.nonRetryable(`there is no session ${session}`, 'SESSION_NOT_FOUND');
    // Validated when they were written, by whoever started the session.
    const facts = { header: row.header, options: row.options as SessionOptions };
    this.#known.set(key, facts, 1);
    return facts;
  }
}
