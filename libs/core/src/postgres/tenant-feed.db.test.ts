import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '../domain/index.ts';
import { testDatabase, waitFor, type TestDatabase } from '../testing/index.ts';
import { openDatabase, type Database } from './database.ts';
import { FEED_START, readFeed, type FeedPosition } from './tenant-feed.ts';

const tenant = 'acme' as TenantId;
let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await testDatabase();
  database = openDatabase(server.url);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});

const write = (to: Database, seq: number, bytes: number, type = 't') =>
  sql`insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data)
    values ('s1', ${seq}, ${tenant}, ${type}, 0, ${`e${seq}`}, '', ${'x'.repeat(bytes)})`.execute(to);

/** Whatever writes anywhere on the server, such as tests beside this one, holds back what came since it began. */
const final = () =>
  waitFor(
    async () => {
      const { rows } = await sql<{ final: boolean }>`
        select max(xact::text::int8) < pg_snapshot_xmin(pg_current_snapshot())::text::int8 as final
        from session_events`.execute(database);
      return rows[0]?.final;
    },
    { what: 'all that was written to be final' },
  );

async function page(after: FeedPosition, limit = 10) {
  const { rows, rest } = await readFeed(database, { tenant, after, limit, maxBytes: 1_000 });
  return { seqs: rows.map(({ seq }) => seq), bytes: rows.map(({ data }) => data.length), rest };
}
const at = async (seq: number): Promise<FeedPosition> => {
  const { rows } = await sql<FeedPosition>`
    select xact::text as xact, session_id as session, seq from session_events where seq = ${seq}`.execute(database);
  return rows[0] ?? FEED_START;
};

test('a page ends with the row that fills it, however large, and says what is beyond', async () => {
  for (const [seq, bytes] of [400, 400, 400, 5_000, 1].entries()) await write(database, seq, bytes);
  await final();
  expect(await page(FEED_START)).toEqual({ seqs: [0, 1, 2], bytes: [400, 400, 400], rest: 'maybe' });
  expect(await page(await at(2))).toEqual({ seqs: [3], bytes: [5_000], rest: 'maybe' });
  expect(await page(await at(3))).toEqual({ seqs: [4], bytes: [1], rest: 'none' });
  expect(await page(await at(0), 1)).toEqual({ seqs: [1], bytes: [400], rest: 'maybe' });

  // A transaction that began before holds back what was committed since.
  await database.transaction().execute(async (open) => {
    await sql`select pg_current_xact_id()`.execute(open);
    await write(database, 5, 10);
    await write(database, 6, 10);
    expect(await page(await at(3))).toEqual({ seqs: [4], bytes: [1], rest: 'waiting' });
    expect(await page(await at(4))).toEqual({ seqs: [], bytes: [], rest: 'waiting' });
  });
  await final();
  expect(await page(await at(4))).toEqual({ seqs: [5, 6], bytes: [10, 10], rest: 'none' });
});

test('what a reader of rare types has looked through it need not look at again, and what is held back it will see', async () => {
  const rare = async (after: FeedPosition, scanRows = 4) => {
    const input = { tenant, types: ['rare'], limit: 2, scanRows };
    const { rows, through, rest } = await readFeed(database, { ...input, after });
    return { seqs: rows.map(({ seq }) => seq), through: through.seq, rest };
  };
  for (const seq of [7, 8, 9, 10, 11]) await write(database, seq, 1);
  await final();
  expect(await rare(await at(6))).toEqual({ seqs: [], through: 10, rest: 'maybe' });
  expect(await rare(await at(10))).toEqual({ seqs: [], through: 11, rest: 'none' });
  for (const seq of [12, 13, 14, 15]) await write(database, seq, 1, seq === 15 ? 't' : 'rare');
  await final();
  expect(await rare(await at(11))).toEqual({ seqs: [12, 13], through: 13, rest: 'maybe' });
  expect(await rare(await at(13))).toEqual({ seqs: [14], through: 15, rest: 'none' });
  await database.transaction().execute(async (open) => {
    await sql`select pg_current_xact_id()`.execute(open);
    for (const seq of [16, 17, 18, 19]) await write(database, seq, 1);
    expect(await rare(await at(13))).toEqual({ seqs: [14], through: 15, rest: 'waiting' });
    expect(await rare(await at(15), 9)).toEqual({ seqs: [], through: 15, rest: 'none' });
    await write(database, 20, 1, 'rare');
    expect(await rare(await at(15), 9)).toEqual({ seqs: [], through: 15, rest: 'waiting' });
    expect(await rare(await at(15))).toEqual({ seqs: [], through: 15, rest: 'waiting' });
  });
  await final();
  expect(await rare(await at(15))).toEqual({ seqs: [], through: 19, rest: 'maybe' });
  expect(await rare(await at(19))).toEqual({ seqs: [20], through: 20, rest: 'none' });
});
