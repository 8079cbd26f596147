import { readdirSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/index.ts';
import { openDatabase } from './database.ts';
import { migrate, migrationStatus } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function query(sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

const everything = readdirSync(new URL('./migrations/', import.meta.url)).toSorted();

test('callers at the same time apply every migration once', async () => {
  await query('drop schema public cascade; create schema public');
  const results = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url)));
  expect(results.map(({ applied }) => applied).toSorted((a, b) => b.length - a.length)).toEqual([
    everything,
    [],
    [],
    [],
    [],
  ]);
  expect(await query('select name from schema_migrations order by name')).toEqual(everything.map((name) => ({ name })));
});

test('an edited migration is refused and nothing changes', async () => {
  // The first is missing and the second was edited: the transaction that would apply the first is given up.
  const [first, second] = everything;
  await query(`drop schema public cascade; create schema public`);
  await migrate(database.url);
  await query(`update schema_migrations set digest = 'x' where name = '${second}'`);
  await query(`delete from schema_migrations where name = '${first}'; drop table api_keys`);
  await expect(migrate(database.url)).rejects.toMatchObject({ code: 'POSTGRES_MIGRATION_FAILED' });
  await query(`insert into schema_migrations (name, digest) select '${first}', 'x'`);
  await expect(migrate(database.url)).rejects.toMatchObject({ code: 'POSTGRES_MIGRATION_CHANGED' });
  expect(await query(`select to_regclass('api_keys') as found`)).toEqual([{ found: null }]);
});

test('before something changes, it is said who runs and will be held up', async () => {
  await query('drop schema public cascade; create schema public');
  const told: string[][] = [];
  const again = () => migrate(database.url, { onHeldUp: (hosts) => told.push(hosts) });
  await again();
  await query(`insert into hosts (host_id, epoch, last_seen, holder, roots, details) values
    ('runs', 1, clock_timestamp(), 'a', '[]', '{}'), ('ended', 1, '-infinity', 'b', '[]', '{}'),
    ('gone', 1, clock_timestamp() - interval '1 minute', 'c', '[]', '{}')`);
  await again();
  expect(told).toEqual([]);
  // One that can be applied twice.
  await query(`delete from schema_migrations where name = '0245_creation_keys.sql'`);
  expect(await again()).toEqual({ applied: ['0245_creation_keys.sql'] });
  expect(told).toEqual([['runs']]);
});

test('the schema of a database can be compared without changing it', async () => {
  const [first, second, ...rest] = everything;
  const opened = openDatabase(database.url);
  await query('drop schema public cascade; create schema public');
  const serverVersion = expect.stringMatching(/^\d+\.\d+/) as string;
  const none = { serverVersion, applied: [], missing: everything, changed: [], unknown: [] };
  expect(await migrationStatus(opened)).toEqual(none);
  await migrate(database.url);
  expect(await migrationStatus(opened)).toEqual({ ...none, applied: everything, missing: [] });
  await query(`delete from schema_migrations where name = '${first}'`);
  await query(`update schema_migrations set digest = 'x' where name = '${second}'`);
  await query(`insert into schema_migrations (name, digest) values ('9999_later.sql', 'y')`);
  expect(await migrationStatus(opened)).toEqual({
    serverVersion,
    applied: [second, ...rest, '9999_later.sql'],
    missing: [first],
    changed: [second],
    unknown: ['9999_later.sql'],
  });
  await opened.destroy();
  expect(opened.pool).toMatchObject({ ended: true, totalCount: 0 });
});
