import type { Database } from '@everturn/core/postgres';
import { CliError } from './cli-error.ts';
import type { Settings } from './settings.ts';

/** Runs work on the database directly and closes it again; throws `CLI_NOT_CONFIGURED` or `CLI_UNREACHABLE`. */
export async function withDatabase<T>(settings: Settings, work: (database: Database) => Promise<T>): Promise<T> {
  const { isUnavailable, openDatabase } = await import('@everturn/core/postgres');
  const database = openDatabase(databaseUrl(settings), { applicationName: 'everturn-cli', maxConnections: 2 });
  try {
    return await work(database);
  } catch (cause) {
    if (!isUnavailable(cause)) throw cause;
    throw new CliError({
      code: 'CLI_UNREACHABLE',
      what: `the database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: 'start it with `npm run up`, or correct DATABASE_URL',
      cause,
    });
  } finally {
    await database.destroy();
  }
}

/** The database's connection string; throws `CLI_NOT_CONFIGURED` without one. */
export function databaseUrl({ database }: Settings): string {
  if (database) return database.url.reveal();
  throw new CliError({
    code: 'CLI_NOT_CONFIGURED',
    what: 'this command speaks to the database itself, and DATABASE_URL is not set',
    remedy: 'set it, or start everything with `npm run up`',
  });
}
