import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GoalId, TenantId } from '@everturn/core/domain';
import { listApiKeys, revokeApiKey } from '@everturn/core/postgres';
import { testDatabase, waitFor, type TestDatabase } from '@everturn/core/testing';
import { startApi, type ApiUnderTest } from './support/api-under-test.ts';
import { LogWriter } from './support/log-writer.ts';
import { SseReader } from './support/sse-reader.ts';

let database: TestDatabase;
let api: ApiUnderTest;
/** Follows a log nothing is written to, as long as the others take. */
let quiet: SseReader;
/** Follow with a key that is revoked at once. */
let revoked: SseReader[];

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi({ databaseUrl: database.url });
  quiet = await SseReader.open({ api, path: eventsOf(await LogWriter.open(api.projection)) });
  const tenant = 'shut-out' as TenantId;
  const theirs = eventsOf(await LogWriter.open(api.projection, tenant));
  revoked = await Promise.all([theirs, '/v1/events'].map((path) => SseReader.open({ api, path, tenant })));
  for (const { id } of await listApiKeys(api.database, tenant)) await revokeApiKey(api.database, { tenant, id });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const eventsOf = (writer: LogWriter, query = '') => `/v1/sessions/${writer.key.session}/events${query}`;
const goal = {
  kind: 'goal/change',
  version: 1,
  operation: 'create',
  goal: {
    id: 'goal-00000000-0000-4000-8000-000000000001' as GoalId,
    revision: 1,
    objective: 'ship it',
    phase: 'active',
    maxGoalRounds: 5,
  },
  roundsStarted: 0,
  createdAt: 1,
  updatedAt: 1,
} as const;
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('one session', () => {
  test('is replayed, then followed, without a gap or a repetition, from any seq', async () => {
    const writer = await LogWriter.open(api.projection);
    await writer.beginTurn();
    await writer.chunks('a', 'b');
    const all = await SseReader.open({ api, path: eventsOf(writer) });
    const late = await SseReader.open({ api, path: eventsOf(writer), lastEventId: '3' });
    const later = await SseReader.open({ api, path: eventsOf(writer, '?after=1') });
    await writer.chunks('c');
    await writer.endTurn();
    for (const reader of [all, late, later])
      await reader.until('the turn to end', (it) => it.events.at(-1)?.type === 'turn/end');
    expect(all.seqs).toEqual(numbers(0, 7));
    expect(late.seqs).toEqual(numbers(4, 7));
    expect(later.seqs).toEqual(numbers(2, 7));
    const page = await api.request('GET', eventsOf(writer));
    expect(all.events).toEqual((page.body as { events: unknown }).events);
    await Promise.all([all, late, later].map((reader) => reader.close()));
  });

  test('text cannot forge frames, and comes back as it was', async () => {
    const text = 'a\u2028b\u0085c\rid: 999\revent: done\r\nd \ud83d \0 \\u0000';
    const writer = await LogWriter.open(api.projection);
    await writer.beginTurn(text);
    const reader = await SseReader.open({ api, path: eventsOf(writer) });
    await reader.until('the message', ({ seqs }) => seqs.length === 3);
    expect(reader.frames.filter(({ id, event }) => id === '999' || event === 'done')).toEqual([]);
    expect(reader.events[1]).toMatchObject({ type: 'user/message', data: { content: [{ type: 'text', text }] } });
    expect(reader.text).not.toMatch(/[\u2028\u0085\r]/);
    const { body } = await api.request('GET', `/v1/sessions/${writer.key.session}/messages`);
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ type: 'text', text }] }], asOfSeq: 2 });
    await reader.close();
  });

  test('is filtered by type, and spared its deltas', async () => {
    const writer = await LogWriter.open(api.projection);
    await writer.beginTurn();
    await writer.chunks(...numbers(1, 30).map(String));
    const spared = await SseReader.open({ api, path: eventsOf(writer, '?chunks=false') });
    const typed = await SseReader.open({ api, path: eventsOf(writer, '?types=turn/end,user/message') });
    await writer.chunks('x');
    await writer.endTurn();
    await spared.until('the end', ({ seqs }) => seqs.length === 5);
    await typed.until('the end', ({ seqs }) => seqs.length === 2);
    expect(spared.seqs).toEqual([0, 1, 2, 34, 35]);
    expect(typed.seqs).toEqual([1, 35]);
    const page = await api.request('GET', eventsOf(writer, '?types=turn/end'));
    expect(page.body).toEqual({ events: [typed.events[1]], next: null, head: 35 });
    await Promise.all([spared.close(), typed.close()]);
  });

  test('says how it stands to whoever arrives, and what changes to whoever is there', async () => {
    const writer = await LogWriter.open(api.projection);
    await writer.commit([], { status: 'idle', queueLength: 0 });
    const reader = await SseReader.open({ api, path: eventsOf(writer) });
    await reader.until('the status', (it) => it.live('agent/status').length === 1);
    await writer.commit([], { status: 'running', openTurn: 1 });
    await reader.until('the change', (it) => it.live('agent/status').length === 2);
    const second = await SseReader.open({ api, path: eventsOf(writer) });
    await second.until('the current status', (it) => it.live('projections').length === 1);
    expect(reader.live('agent/status')).toEqual([{ status: 'idle' }, { status: 'running', openTurn: 1 }]);
    expect(second.live('agent/status')).toEqual([{ status: 'running', openTurn: 1 }]);
    expect(second.live('queue')).toEqual([{ prompts: [] }]);
    const request = { tool: 'bash' };
    const question = { id: 'q1', kind: 'approval', state: 'open', turn: 1, step: 1, answerTo: 'w', request } as const;
    await writer.commit([], { status: 'waiting', interactions: [question] });
    await second.until('the question', (it) => it.live('interactions').length === 2);
    expect(second.live('interactions').at(-1)).toEqual({
      open: [{ id: 'q1', kind: 'approval', turn: 1, step: 1, request }],
    });
    await writer.beginTurn();
    await writer.commit([writer.event('plan/mode', { active: true })]);
    await second.until('plan mode', (it) => it.live('projections').length === 2);
    expect(second.live('projections').at(-1)).toMatchObject({ plan: { active: true } });
    await writer.commit([writer.event('goal/change', goal)]);
    await second.until('the goal', (it) => it.live('projections').length === 3);
    expect(second.live('projections').at(-1)).toMatchObject({ plan: { active: true }, goal: goal.goal });
    await writer.commit([], { status: 'closed', openTurn: null, interactions: [{ ...question, state: 'cancelled' }] });
    await reader.until('the end of the agent', (it) => it.live('agent/disposed').length === 1);
    await Promise.all([reader.close(), second.close()]);
  });
});

test('a hundred readers that come and go each see exactly the log', { timeout: 120_000 }, async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}`);
  const random = seeded(seed);
  const writer = await LogWriter.open(api.projection);
  const total = 800;
  let done = false;

  const write = async () => {
    await writer.beginTurn();
    while (writer.length < total)
      await writer.chunks(...Array.from({ length: 1 + random(8) }, () => 'x'.repeat(random(2_000))));
    await writer.endTurn();
    done = true;
  };

  const read = async () => {
    const seen: number[] = [];
    let kinds = '';
    while (kinds !== 'turn/end') {
      const reader = await SseReader.open({
        api,
        path: eventsOf(writer),
        ...(seen.length > 0 && { lastEventId: String(seen.at(-1)) }),
      });
      const leaveAfter = 1 + random(400);
      await reader.until(
        'enough to leave',
        ({ events }) => events.length >= leaveAfter || events.at(-1)?.type === 'turn/end',
        60_000,
      );
      await reader.close();
      seen.push(...reader.seqs);
      kinds = reader.events.at(-1)?.type ?? kinds;
    }
    return seen;
  };

  const readers = Array.from({ length: 100 }, () => read());
  await write();
  expect(done).toBe(true);
  const expected = numbers(0, writer.length - 1);
  for (const seen of await Promise.all(readers)) expect(seen).toEqual(expected);
});

test('a reader that takes nothing is dropped and holds no memory, others go on', { timeout: 120_000 }, async () => {
  const writer = await LogWriter.open(api.projection);
  await writer.beginTurn();
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${eventsOf(writer)} HTTP/1.1\r\nhost: a\r\naccept: text/event-stream\r\nauthorization: Bearer ${await api.keyOf('acme')}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const other = await SseReader.open({ api, path: eventsOf(writer, '?types=turn/end') });
  const resident = async () => {
    const text = await (await fetch(`${api.url}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
  };
  const before = await resident();
  for (let round = 0; round < 160; round += 1)
    await writer.chunks(...Array.from({ length: 10 }, () => 'y'.repeat(200_000)));
  await writer.endTurn();
  await other.until('the end', ({ seqs }) => seqs.length === 1);
  // 320 MB were sent past it; what is not collected yet is no more than half of that.
  expect((await resident()) - before).toBeLessThan(250 * 1024 * 1024);
  await waitFor(
    async () =>
      (await (await fetch(`${api.url}/metrics`)).text()).includes(
        'everturn_api_event_streams_ended_total{reason="slow-reader"} 1',
      ),
    { what: 'the slow reader to be dropped', timeoutMs: 60_000, everyMs: 500 },
  );
  socket.destroy();
  await other.close();
});

describe('all sessions of a tenant', () => {
  test('come in one stream that resumes exactly, and are nobody else’s', { timeout: 60_000 }, async () => {
    const tenant = 'feed';
    const foreign = await LogWriter.open(api.projection, 'somebody-else');
    const writers = await Promise.all(numbers(1, 5).map(() => LogWriter.open(api.projection, tenant)));
    const first = await SseReader.open({ api, path: '/v1/events', tenant });
    const write = async (writer: LogWriter) => {
      await writer.beginTurn();
      await writer.chunks('a', 'b');
      await writer.endTurn();
    };
    await Promise.all([...writers, foreign].map(write));
    await first.until('half', ({ frames }) => frames.filter(({ id }) => id).length >= 10);
    await first.close();
    const half = first.frames.filter(({ id }) => id);
    await Promise.all([...writers, foreign].map(write));
    const second = await SseReader.open({ api, path: '/v1/events', tenant, lastEventId: half.at(-1)!.id! });
    const count = () => half.length + second.frames.filter(({ id }) => id).length;
    await second.until('the rest', () => count() >= 50);
    await second.close();

    type Entry = { session: string; event: { seq: number } };
    const entries = [...half, ...second.frames.filter(({ id }) => id)].map(({ data }) => data as Entry);
    const bySession = Map.groupBy(entries, (entry) => entry.session);
    const expected = Object.fromEntries(writers.map(({ key }) => [key.session, [0, 1, 2, 5, 6, 7, 8, 9, 12, 13]]));
    const seen = [...bySession].map(([session, list]) => [session, list.map((entry) => entry.event.seq)]);
    expect(Object.fromEntries(seen)).toEqual(expected);

    const whole = await SseReader.open({ api, path: '/v1/events?from=start&types=turn/start', tenant });
    await whole.until('every start', ({ frames }) => frames.filter(({ id }) => id).length === 10);
    await whole.close();
  });
});

/** A small generator, so that a failing run can be repeated by its seed. */
function seeded(seed: number): (below: number) => number {
  const values = fc.sample(fc.nat({ max: 2 ** 30 }), { seed, numRuns: 5_000 });
  let index = 0;
  return (below) => values[index++ % values.length]! % below;
}

test('a quiet stream sends what a proxy must not keep back, and heartbeats', async () => {
  const { headers } = quiet.response;
  expect(
    Object.fromEntries(
      ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding'].map((name) => [
        name,
        headers.get(name),
      ]),
    ),
  ).toEqual({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'content-encoding': null,
  });
  await quiet.until('two heartbeats', ({ comments }) => comments >= 3, 14_000);
  expect(quiet.text).not.toMatch(/^id:/m);
  await quiet.close();
});

test('a stream ends soon after its reader’s key is revoked', async () => {
  for (const reader of revoked) {
    await reader.until('the end', (it) => it.live('stream/end').length === 1);
    await reader.ended;
    expect(reader.live('stream/end')).toEqual([{ reason: 'unauthenticated' }]);
  }
});
