import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { SessionId, TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { deleteMessageFeedback, listMessageFeedback, putMessageFeedback } from './message-feedback.ts';
import { startSessionRow } from './sessions.ts';

const key = { tenant: 'acme' as TenantId, session: 's1' as SessionId };
const { database, drop } = await openTestDatabase();
beforeAll(async () => {
  await startSessionRow(database, { ...key, header: {}, options: {} });
  for (const [seq, type] of [
    [0, 'user/message'],
    [1, 'assistant/message'],
    [2, 'assistant/message'],
  ] as const)
    await sql`
      insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op)
      values ('s1', ${seq}, 'acme', ${type}, 1, ${`e${seq}`}, '', '{}', 'append')`.execute(database);
});
afterAll(drop);

test('an answer is rated by compare and set, and taken back as often as one likes', async () => {
  const put = (about: Partial<Parameters<typeof putMessageFeedback>[1]>) =>
    putMessageFeedback(database, { ...key, seq: 1, rating: 'positive', ...about });
  expect(await put({ ifVersion: 3 })).toEqual({ kind: 'conflict', actual: null });
  expect(await put({ ifVersion: null, note: 'nice' })).toEqual({ kind: 'put', version: 1 });
  expect(await put({ ifVersion: null })).toEqual({ kind: 'conflict', actual: 1 });
  expect(await put({ ifVersion: 1, rating: 'negative' })).toEqual({ kind: 'put', version: 2 });
  expect(await put({ ifVersion: 1 })).toEqual({ kind: 'conflict', actual: 2 });
  expect(await put({ seq: 2 })).toEqual({ kind: 'put', version: 1 });
  expect(await listMessageFeedback(database, key)).toEqual([
    { seq: 1, rating: 'negative', version: 2 },
    { seq: 2, rating: 'positive', version: 1 },
  ]);
  await deleteMessageFeedback(database, { ...key, seq: 1 });
  await deleteMessageFeedback(database, { ...key, seq: 1 });
  expect(await listMessageFeedback(database, key)).toHaveLength(1);
});

test('only answers are rated, and only by those whose they are', async () => {
  const put = (about: object) => putMessageFeedback(database, { ...key, seq: 2, rating: 'positive', ...about });
  expect(await put({ seq: 0 })).toEqual({ kind: 'no-target' });
  expect(await put({ seq: 9 })).toEqual({ kind: 'no-target' });
  expect(await put({ tenant: 'umbrella' })).toEqual({ kind: 'no-target' });
  expect(await listMessageFeedback(database, { ...key, tenant: 'umbrella' as TenantId })).toEqual([]);
});
