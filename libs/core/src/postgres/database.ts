import { Kysely, PostgresDialect } from 'kysely';
import { Pool, TypeOverrides, types } from 'pg';
import { guardedPool } from './guarded-pool.ts';
import type { Tables } from './tables.ts';

/** Typed access to every table. Statements are unnamed, so that a transaction pooler may stand in between. */
export type Database = Kysely<Tables> & {
  /** The pool beneath, for statements that need no building. */
  readonly pool: Pool;
};

export interface DatabaseOptions {
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Most connections at once; default 10. */
  maxConnections?: number;
  /** A statement without an answer for this long fails and its connection is dropped; default 15,000. */
  queryTimeoutMs?: number;
  /** Told of connections that broke while idle; such errors never reach the process. */
  onConnectionError?: (error: Error) => void;
}

/** Numbers of events and times are far below 2^53, so int8 comes back as a number. */
const numbers = new TypeOverrides();
numbers.setTypeParser(types.builtins.INT8, Number);

/** Opens a pool of connections; nothing is dialled before the first statement. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { applicationName = 'everturn', maxConnections = 10, queryTimeoutMs = 15_000, onConnectionError } = options;
  const pool = new Pool({
    connectionString: url,
    application_name: applicationName,
    max: maxConnections,
    types: numbers,
    // Set on our side: poolers refuse statement_timeout as a start-up parameter.
    query_timeout: queryTimeoutMs,
    connectionTimeoutMillis: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  });
  const report = (error: Error): void => onConnectionError?.(error);
  pool.on('error', report);
  // The pool listens only while a connection is idle; an error while it is lent out would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) });
  // Kysely leaves a pool alone that no statement of its own has used, whose connections keep a process for ten seconds.
  const destroy = async (): Promise<void> => {
    await Kysely.prototype.destroy.call(database);
    if (!pool.ending) await pool.end();
  };
  return Object.defineProperties(database, { pool: { value: pool }, destroy: { value: destroy } }) as Database;
}
