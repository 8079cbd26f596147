import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openDatabase, startSessionRow } from '@everturn/core/postgres';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { openTestDatabase } from '@everturn/core/testing';
import { spillOf } from '@everturn/tools/kit';
import { expireKeys } from '../projection/index.ts';
import { PostgresSpillStore } from './postgres-spill-store.ts';

const { database: here, url, drop } = await openTestDatabase();
const elsewhere = openDatabase(url);
afterAll(async () => {
  await elsewhere.destroy();
  await drop();
});

const begin = async (session: string, tenant: string, parent?: string) => {
  const above = parent === undefined ? {} : { parent: parent as SessionId };
  await startSessionRow(here, {
    session: session as SessionId,
    tenant: tenant as TenantId,
    header: {},
    options: {},
    ...above,
  });
  return session as SessionId;
};

test('another machine reads what one kept, for the session and its forks, and nobody else does', async () => {
  const session = await begin('s1', 'acme');
  const fork = await begin('s1-fork', 'acme', 's1');
  const child = await begin('s1-fork-fork', 'acme', 's1-fork');
  const sibling = await begin('s2', 'acme');
  const foreign = await begin('s3', 'umbrella', 's1');
  const text = `nul \0 and \u{1F600}\n${'x'.repeat(60_000)}`;
  const { locator, hint } = await new PostgresSpillStore({ database: here }).save({
    session,
    name: '../bash results.txt',
    text,
  });
  expect(locator).toMatch(/^spill:[0-9a-f]{32}\/\.\.~bash~results\.txt$/);
  expect(hint).toContain('read');
  const store = new PostgresSpillStore({ database: elsewhere });
  const read = async (by: SessionId) => store.open(locator, by);
  expect(await Promise.all([session, fork, child].map(read))).toEqual([text, text, text]);
  expect(await Promise.all([sibling, foreign].map(read))).toEqual([undefined, undefined]);
  const other = await store.save({ session: fork, name: 'x', text: 'of the fork' });
  expect(await store.open(other.locator, session)).toBeUndefined();
  expect(spillOf('/tmp/spill:x')).toBeUndefined();
});

test('what was kept a month ago is gone with the next upkeep, and nothing younger', async () => {
  const session = await begin('kept', 'acme');
  const store = new PostgresSpillStore({ database: here });
  const [old, young] = [
    await store.save({ session, name: 'old', text: 'old' }),
    await store.save({ session, name: 'young', text: 'young' }),
  ];
  const age = (locator: string, days: number) =>
    sql`update spills set created_at = created_at - ${days} * interval '1 day' where id = ${spillOf(locator)}`.execute(
      here,
    );
  await age(old.locator, 31);
  await age(young.locator, 29);
  expect(await expireKeys({ database: here })).toBe(1);
  const read = async ({ locator }: { locator: string }) => store.open(locator, session);
  expect([await read(old), await read(young)]).toEqual([undefined, 'young']);
});

test('a session that is not there keeps nothing', async () => {
  const save = new PostgresSpillStore({ database: here }).save({
    session: 'nobody' as SessionId,
    name: 'x',
    text: 'y',
  });
  await expect(save).rejects.toThrow('no session nobody');
});
