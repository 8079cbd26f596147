import { sql } from 'kysely';
import { COMMITTED_CHANNEL, toPayloads } from '@everturn/core/postgres';
import type { CommittedNote, Database } from '@everturn/core/postgres';

/**
 * Tells readers which sessions have something new where the statement that committed it does not: after the commit and
 * never in it, since NOTIFY takes a lock that all writers share. While one is in flight, notes collect for the next.
 */
export class CommitNotifier {
  readonly #database: Database;
  readonly #waiting = new Map<string, CommittedNote>();
  #sending: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes sessions something was committed for. Never fails: readers also poll. */
  notify(notes: Iterable<CommittedNote>): void {
    for (const { tenant, session } of notes) this.#waiting.set(`${tenant}/${session}`, { tenant, session });
    this.#start();
  }

  /** Resolves when everything noted so far has been sent or given up. */
  async flushed(): Promise<void> {
    for (this.#start(); this.#sending; this.#start()) await this.#sending;
  }

  #start(): void {
    // A send with nothing to send would end before it is assigned, and look as if it never ended.
    if (this.#waiting.size > 0) this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        const payloads = toPayloads(this.#waiting.values());
        this.#waiting.clear();
        await sql`select pg_notify(${COMMITTED_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(
          this.#database,
        );
      }
    } catch {
      // Readers notice by polling; a database that is away has no readers to tell.
    } finally {
      this.#sending = undefined;
    }
    if (this.#waiting.size > 0) this.#sending = this.#send();
  }
}
