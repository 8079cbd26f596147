import type { Database } from '@everturn/core/postgres';
import { waitFor } from '@everturn/core/testing';
import { sql } from 'kysely';

let held = 0;

/**
 * Keeps rows of a kind from being written or changed as long as something runs, which can wait until one is. The lock is the
 * test's own, and so is the trigger.
 */
export async function holdWrites(
  database: Database,
  { table, where }: { table: string; where: string },
  run: (untilOneIsHeld: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  held += 1;
  const name = `hold_${table}_${process.pid}_${held}`;
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as $$ begin
         if ${where} then perform pg_advisory_xact_lock(hashtext('${name}')); end if;
         return new;
       end $$;
       create trigger ${name} before insert or update on ${table} for each row execute function ${name}()`,
    )
    .execute(database);
  const waiting = async () => {
    const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted
      and objid = (hashtext(${name})::bigint & 4294967295)::oid`.execute(database);
    return rows.length > 0;
  };
  await database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtext(${name}))`.execute(connection);
    try {
      await run(() => waitFor(waiting, { what: `a row of ${table} to be held` }));
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${name}))`.execute(connection);
    }
  });
  await sql.raw(`drop trigger ${name} on ${table}; drop function ${name}()`).execute(database);
}
