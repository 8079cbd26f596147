import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { Shutdown } from '../shutdown.ts';
import { LogFollower } from './log-follower.ts';
import type { LogSource } from './log-source.ts';
import { watchLog } from './watch-log.ts';

const mine = { tenant: 'acme' as TenantId, session: 's1' as SessionId };
const stored = [0, 1, 2].map((seq) => ({ seq, type: 't', json: '{}' }));

/** One log, which only its own tenant can read. */
const source: LogSource = {
  head: async ({ tenant }) => (tenant === mine.tenant ? 2 : -1),
  marks: async () => new Map(),
  rows: async ({ tenant, after }) => ({
    rows: tenant === mine.tenant ? stored.filter(({ seq }) => seq > after) : [],
    rest: 'none',
  }),
  view: async () => undefined,
};
const follower = new LogFollower(source, pino({ level: 'silent' }), new Shutdown());
afterAll(() => follower.onApplicationShutdown());

test('whoever follows a log is lent the tail of their own tenant, whoever asked for that session before', async () => {
  const theirs = { ...mine, tenant: 'rival' as TenantId };
  await follower.withTail(theirs, async (foreign) => {
    await foreign.ring();
    await follower.withTail(mine, async (tail) => {
      await tail.ring();
      expect([foreign.head, tail.head]).toEqual([-1, 2]);
      stored.push({ seq: 3, type: 't', json: '{}' });
      follower.announced(mine);
      await tail.refresh();
      expect([foreign.head, tail.head]).toEqual([-1, 3]);
    });
  });
});

test('rows that could not be read when they were announced, nor at a poll, are read at the next, although nothing came since', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let failures = 0;
  const rows = source.rows.bind(source);
  const failing: LogSource = {
    ...source,
    marks: async () => new Map([[mine.session, 'after the last commit']]),
    rows: (range) => (failures-- > 0 ? Promise.reject(new Error('too many connections')) : rows(range)),
  };
  const reading = new LogFollower(failing, pino({ level: 'silent' }), new Shutdown());
  const polled = () => vi.advanceTimersByTimeAsync(5_000);
  await reading.withTail(mine, async (tail) => {
    await tail.ring();
    await tail.refresh();
    const seq = tail.head + 1;
    stored.push({ seq, type: 't', json: '{}' });
    failures = 2;
    reading.announced(mine);
    await tail.refresh();
    expect(tail.head).toBe(seq - 1);
    failures = 1;
    await polled();
    expect([failures, tail.head]).toEqual([0, seq - 1]);
    await polled();
    expect(tail.head).toBe(seq);
  });
  reading.onApplicationShutdown();
  vi.useRealTimers();
});

test('who waits for something in a log is told when this process is about to end, and before anything else ends', async () => {
  const shutdown = new Shutdown();
  const reading = new LogFollower(source, pino({ level: 'silent' }), shutdown);
  const waiting = watchLog(reading, { key: mine, timeoutMs: 60_000 }, async ({ wake, deadline }) => {
    while (!deadline.aborted) await wake.next();
    return 'how far it came';
  });
  shutdown.onModuleDestroy();
  expect(await waiting).toBe('how far it came');
  const late = watchLog(reading, { key: mine, timeoutMs: 60_000 }, async ({ deadline }) => deadline.aborted);
  expect(await late).toBe(true);
  reading.onApplicationShutdown();
});
