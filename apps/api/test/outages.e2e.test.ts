import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { startServer, waitFor, type TestServer } from '@everturn/core/testing';
import { startApi, type ApiUnderTest } from './support/api-under-test.ts';
import { blockableProxy, type BlockableProxy } from './support/blockable-proxy.ts';
import { LogWriter } from './support/log-writer.ts';
import { SseReader } from './support/sse-reader.ts';

let server: TestServer;
let proxy: BlockableProxy;
let api: ApiUnderTest;

beforeAll(async () => {
  server = await startServer('postgres');
  proxy = await blockableProxy(Number(new URL(server.url).port));
  const throughProxy = new URL(server.url);
  throughProxy.port = String(proxy.port);
  api = await startApi({ databaseUrl: server.url, env: { DATABASE_URL: throughProxy.href } });
});
afterAll(async () => {
  await api.stop();
  await proxy.close();
  await server.drop();
});

/** A written log, and a reader that has all of it and waits for more. */
async function followed(): Promise<{ writer: LogWriter; reader: SseReader; feed: SseReader }> {
  const writer = await LogWriter.open(api.projection);
  await writer.beginTurn();
  const reader = await SseReader.open({ api, path: `/v1/sessions/${writer.key.session}/events` });
  const feed = await SseReader.open({ api, path: '/v1/events' });
  await reader.until('the log so far', ({ seqs }) => seqs.length === 3);
  return { writer, reader, feed };
}

/** Commits once the database takes it again. */
const commitWhenBack = (writer: LogWriter, text: string) =>
  waitFor(
    async () => {
      await writer.chunks(text);
      return true;
    },
    { what: 'a commit', timeoutMs: 30_000 },
  );

async function caughtUp({ writer, reader, feed }: Awaited<ReturnType<typeof followed>>): Promise<void> {
  await writer.endTurn();
  await reader.until('what was missed', ({ seqs }) => seqs.length === writer.length, 10_000);
  expect(reader.seqs).toEqual(Array.from({ length: writer.length }, (_, seq) => seq));
  await feed.until(
    'the end of the turn in the feed',
    ({ frames }) => frames.some(({ event }) => event === 'turn/end'),
    10_000,
  );
  await Promise.all([reader.close(), feed.close()]);
}

test('every connection of ours is ended: streams deliver what they missed', async () => {
  const following = await followed();
  const ended =
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'everturn-api%'`.execute(
      api.database,
    );
  expect(ended.rows.length).toBeGreaterThan(1);
  await following.writer.chunks('while nobody listens');
  await caughtUp(following);
});

test('Postgres is killed and comes back: requests say so meanwhile, streams stay and deliver what they missed', async () => {
  const following = await followed();
  await server.kill9();
  const answer = await waitFor(
    async () => {
      const found = await api.request('GET', `/v1/sessions/${following.writer.key.session}`);
      return found.status === 503 && found;
    },
    { what: 'a 503', timeoutMs: 20_000 },
  );
  expect([answer.headers.get('retry-after'), answer.body]).toEqual([
    '2',
    { code: 'DATABASE_UNAVAILABLE', message: expect.any(String), details: {} },
  ]);
  const ready = await fetch(`${api.url}/v1/health/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not-ready', postgres: { status: 'down', reason: expect.any(String) }, temporal: { status: 'up' } },
  ]);
  expect((await fetch(`${api.url}/v1/health/live`)).status).toBe(200);
  await server.start();
  await commitWhenBack(following.writer, 'after the restart');
  await caughtUp(following);
});

test('the way to Postgres goes dead without a word: the same', { timeout: 90_000 }, async () => {
  const following = await followed();
  proxy.block();
  await following.writer.chunks('behind the wall');
  const answer = await api.request('GET', `/v1/sessions/${following.writer.key.session}`);
  expect([answer.status, answer.body]).toEqual([503, expect.objectContaining({ code: 'DATABASE_UNAVAILABLE' })]);
  proxy.unblock();
  await caughtUp(following);
});
