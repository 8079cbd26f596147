import { randomBytes } from 'node:crypto';
import type { SessionId } from '@everturn/core/domain';
import { putSpill, readSpill, storableText, type Database } from '@everturn/core/postgres';
import { spillLocator, spillOf, type Spilled, type SpillInput, type SpillPort } from '@everturn/tools/kit';

/** Keeps long results in the database, so that a session which moved to another machine still reads them. */
export class PostgresSpillStore implements SpillPort {
  readonly #database: Database;

  constructor(input: { database: Database }) {
    this.#database = input.database;
  }

  async save({ session, name, text }: SpillInput): Promise<Spilled> {
    const id = randomBytes(16).toString('hex');
    await putSpill(this.#database, { id, session, name: storableText(name), text });
    return {
      locator: spillLocator(id, name),
      hint: 'Page through it with read, giving that as file_path; no other tool knows it.',
    };
  }

  async open(locator: string, session: SessionId): Promise<string | undefined> {
    const id = spillOf(locator);
    return id === undefined ? undefined : readSpill(this.#database, { id, session });
  }
}
