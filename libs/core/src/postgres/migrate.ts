import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import type { Database } from './database.ts';
import { PostgresError } from './errors.ts';
import { HOST_GONE_MS } from './hosts.ts';

/** The oldest server whose multiranges and grammar the migrations use. */
const OLDEST_SERVER = 140_000;
/** Any constant will do; it must not change. */
const LOCK = 7_045_120_771;

interface Migration {
  name: string;
  sql: string;
  digest: string;
}

export interface MigrateOptions {
  /** Told, before anything changes, which workers run: they wait until all of it is done. */
  onHeldUp?: (hosts: string[]) => void;
}

/**
 * Brings a database to the newest schema; callers at the same time wait for each other and all but one find nothing
 * to do. Everything happens in one transaction, so a failure leaves the schema as it was and a pooler may stand in between.
 * Throws `POSTGRES_UNSUPPORTED`, `POSTGRES_MIGRATION_CHANGED` or `POSTGRES_MIGRATION_FAILED`.
 */
export async function migrate(databaseUrl: string, { onHeldUp }: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'everturn-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await refuseOldServer(client);
    const applied = await applyMissing(client, readMigrations(), onHeldUp);
    await client.query('commit');
    return { applied };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}

export interface MigrationStatus {
  /** Of the server, such as `18.4`. */
  serverVersion: string;
  applied: string[];
  missing: string[];
  /** Applied with other content than this program has. */
  changed: string[];
  /** Applied, but unknown here: a newer version has used this database. */
  unknown: string[];
}

/** Compares a database's schema with this program's migrations and changes nothing. */
export async function migrationStatus({ pool }: Pick<Database, 'pool'>): Promise<MigrationStatus> {
  const { rows: facts } = await pool.query<{ version: string; prepared: boolean }>(
    `select current_setting('server_version') as version, to_regclass('schema_migrations') is not null as prepared`,
  );
  const { rows } = facts[0]?.prepared
    ? await pool.query<{ name: string; digest: string }>('select name, digest from schema_migrations order by name')
    : { rows: [] };
  const ours = new Map(readMigrations().map(({ name, digest }) => [name, digest]));
  const theirs = new Map(rows.map(({ name, digest }) => [name, digest]));
  return {
    serverVersion: facts[0]?.version ?? '',
    applied: [...theirs.keys()],
    missing: [...ours.keys()].filter((name) => !theirs.has(name)),
    changed: [...ours]
      .filter(([name, digest]) => theirs.has(name) && theirs.get(name) !== digest)
      .map(([name]) => name),
    unknown: [...theirs.keys()].filter((name) => !ours.has(name)),
  };
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`);
  const version = Number(rows[0]?.version);
  if (version >= OLDEST_SERVER) return;
  throw new PostgresError('POSTGRES_UNSUPPORTED', `PostgreSQL ${version / 10_000} is too old: use 14 or later`);
}

async function applyMissing(
  client: Client,
  migrations: Migration[],
  onHeldUp: MigrateOptions['onHeldUp'],
): Promise<string[]> {
  await client.query(
    `create table if not exists schema_migrations (
       name text primary key, digest text not null, applied_at timestamptz not null default clock_timestamp())`,
  );
  const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from schema_migrations');
  const done = new Map(rows.map(({ name, digest }) => [name, digest]));
  if (onHeldUp && done.size > 0 && migrations.some(({ name }) => !done.has(name))) {
    const hosts = await liveHosts(client);
    if (hosts.length > 0) onHeldUp(hosts);
  }
  const applied: string[] = [];
  for (const { name, sql, digest } of migrations) {
    if (done.has(name)) {
      refuseChanged(name, done.get(name) === digest);
      continue;
    }
    await run(client, name, sql);
    await client.query('insert into schema_migrations (name, digest) values ($1, $2)', [name, digest]);
    applied.push(name);
  }
  return applied;
}

async function liveHosts(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ host: string }>(
    `select host_id as host from hosts
     where last_seen > clock_timestamp() - $1 * interval '1 millisecond' order by host_id`,
    [HOST_GONE_MS],
  );
  return rows.map(({ host }) => host);
}

function refuseChanged(name: string, same: boolean): void {
  if (same) return;
  throw new PostgresError(
    'POSTGRES_MIGRATION_CHANGED',
    `migration ${name} was applied here with other content\n  → an edit of yours: undo it and write a new migration; data of another version of Everturn: go back to that version, or start empty (in a checkout: npm run reset)`,
  );
}

async function run(client: Client, name: string, sql: string): Promise<void> {
  try {
    await client.query(sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PostgresError('POSTGRES_MIGRATION_FAILED', `migration ${name} failed: ${reason}`, { cause });
  }
}

function readMigrations(): Migration[] {
  const folder = new URL('./migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return { name, sql, digest: createHash('sha256').update(sql).digest('hex') };
    });
}
