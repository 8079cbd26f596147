import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { commit } from './commit.ts';
import { openLog } from './open-log.ts';
import { author, closeTestProjection, newSession, openTestProjection, source } from './test/test-session.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

test('a fork has the goal of its seed, disarmed, and none of its reminders', async () => {
  const parent = await newSession();
  const { database } = parent.projection;
  const turn = author('t1');
  const goal = {
    id: 'goal-00000000-0000-4000-8000-000000000001',
    revision: 1,
    objective: 'ship it',
    phase: 'active',
    maxGoalRounds: 5,
  } as const;
  const schedule = { id: 'schedule-1', kind: 'at', prompt: 'look', scheduledAt: '2030-01-01T00:00:00.000Z' } as const;
  const stamps = { roundsStarted: 0, createdAt: 1, updatedAt: 1 };
  const events = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    turn('goal/change', { kind: 'goal/change', version: 1, operation: 'create', goal, ...stamps } as never),
    turn('schedule/change', { version: 1, operation: 'create', schedule } as never),
    turn('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  ];
  await commit(parent.projection, { ...parent.ref, commit: { events, highestAcknowledged: -1 } });
  const { session, tenant } = parent.ref;
  const own = await openLog(parent.projection, { ...parent.ref, intent: 'resume', runId: 'run-2' });
  expect(own).toMatchObject({ reminders: { created: 1, armed: [expect.anything()] } });
  const fork = { tenant, session: `${session}-fork` as SessionId };
  await startSessionRow(database, {
    ...fork,
    header: { version: 0, parentSession: session, seedLength: events.length },
    options: {},
    parent: session,
  });
  const answer = await openLog(parent.projection, { ...fork, intent: 'open', runId: 'run-1' });
  expect(answer).toMatchObject({ kind: 'opened', lastTurn: 1, goal: { record: { goal }, activation: 'disarmed' } });
  expect(answer).not.toHaveProperty('reminders');
});
