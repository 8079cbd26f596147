import pino from 'pino';
import { afterAll, expect, test } from 'vitest';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { LogFollower } from './log-follower.ts';
import type { LogSource } from './log-source.ts';

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
const follower = new LogFollower(source, pino({ level: 'silent' }));
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
