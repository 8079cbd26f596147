import { openDatabase, type Database } from '../postgres/database.ts';
import { testDatabase, type TestDatabase } from './test-database.ts';

/** A migrated database of the test's own, with connections to it. */
export interface OpenTestDatabase extends TestDatabase {
  readonly database: Database;
}

/** Creates it; `drop`, for `afterAll`, also closes the connections. */
export async function openTestDatabase(): Promise<OpenTestDatabase> {
  const { url, drop } = await testDatabase();
  const database = openDatabase(url);
  return {
    url,
    database,
    drop: async () => {
      await database.destroy();
      await drop();
    },
  };
}
