import type { MigrationStatus } from '@everturn/core/postgres';
import { withDatabase } from '../platform/database.ts';
import type { Settings } from '../platform/settings.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const OLDEST_MAJOR = 14;

/** Whether the database answers, is new enough, and has this program's schema. */
export async function checkPostgres(settings: Settings): Promise<Finding[]> {
  const { migrationStatus } = await import('@everturn/core/postgres');
  const status = await withDatabase(settings, migrationStatus);
  return [serverFinding(status), schemaFinding(status)];
}

function serverFinding({ serverVersion }: MigrationStatus): Finding {
  if (Number.parseInt(serverVersion, 10) >= OLDEST_MAJOR) return ok('Postgres', `PostgreSQL ${serverVersion}`);
  return fail('Postgres', `PostgreSQL ${serverVersion}`, `use PostgreSQL ${OLDEST_MAJOR} or later`);
}

function schemaFinding({ applied, missing, changed, unknown }: MigrationStatus): Finding {
  if (changed.length > 0)
    return fail(
      'Migrations',
      `applied with other content: ${changed.join(', ')}`,
      'use the version of Everturn that made this database',
    );
  if (missing.length > 0)
    return fail('Migrations', `missing: ${missing.join(', ')}`, 'apply them with `npm run bootstrap`');
  if (unknown.length > 0)
    return warn('Migrations', `made by a newer version: ${unknown.join(', ')}`, 'update this checkout');
  return ok('Migrations', `${applied.length} applied, none missing`);
}
