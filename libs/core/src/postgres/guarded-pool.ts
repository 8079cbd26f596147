import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isUnavailable } from './errors.ts';

/**
 * A pool whose connections are thrown away once a statement on them has failed for want of an answer. Kysely gives a
 * connection back whatever happened to it, and the next statement would queue behind the one that hangs.
 */
export function guardedPool(pool: Pool): PostgresPool {
  return {
    connect: async () => guard(await pool.connect()),
    end: () => pool.end(),
    options: pool.options,
  };
}

function guard(client: PoolClient): PostgresPoolClient {
  let broken: Error | undefined;
  const query = async (...args: unknown[]) => {
    try {
      return await (client.query as (...args: unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      if (isUnavailable(error)) broken = error as Error;
      throw error;
    }
  };
  // All that Kysely uses of a client.
  return { query, release: () => client.release(broken) } as unknown as PostgresPoolClient;
}
