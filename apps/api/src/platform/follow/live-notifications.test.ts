import type { GoalId, JobId, RequestId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { changedNotifications, currentNotifications } from './live-notifications.ts';
import type { SessionView } from '@everturn/core/postgres';

const idle: SessionView = { status: 'idle', title: '', usage: {}, queue: [], interactions: [], jobs: [], cancels: [] };
const prompt = { promptId: 'p1' as RequestId, mode: 'send', preview: 'hello' } as const;

test('who arrives is told every state once', () => {
  expect(currentNotifications({ ...idle, status: 'running', openTurn: 3, queue: [prompt] })).toEqual([
    { kind: 'agent/status', data: { status: 'running', openTurn: 3 } },
    { kind: 'queue', data: { prompts: [prompt] } },
    { kind: 'interactions', data: { open: [] } },
    { kind: 'jobs', data: { jobs: [] } },
    { kind: 'projections', data: { title: '', usage: {} } },
  ]);
});

test('who follows is told what happened and which states are new', () => {
  const cancel = { requestId: 'r1' as RequestId, kind: 'cancel' } as const;
  expect(changedNotifications(idle, idle)).toEqual([]);
  expect(changedNotifications(idle, { ...idle, queue: [prompt], cancels: [cancel] })).toEqual([
    { kind: 'agent/queued', data: prompt },
    { kind: 'agent/cancel-requested', data: cancel },
    { kind: 'queue', data: { prompts: [prompt] } },
  ]);
});

test('who follows is told when planning begins and ends', () => {
  const planning = { ...idle, plan: { active: true } };
  const told = (active: boolean) => [{ kind: 'projections', data: { title: '', usage: {}, plan: { active } } }];
  expect(changedNotifications(idle, planning)).toEqual(told(true));
  expect(changedNotifications(planning, { ...idle, plan: { active: false } })).toEqual(told(false));
});

test('who follows is told of a goal, and that it was cleared', () => {
  const id = 'goal-00000000-0000-4000-8000-000000000001' as GoalId;
  const goal = { id, revision: 1, objective: 'ship it', phase: 'active', maxGoalRounds: 5 } as const;
  const told = (now: object | null) => [{ kind: 'projections', data: { title: '', usage: {}, goal: now } }];
  expect(changedNotifications(idle, { ...idle, goal })).toEqual(told(goal));
  expect(changedNotifications({ ...idle, goal }, { ...idle, goal: null })).toEqual(told(null));
});

test('who follows is told how jobs stand', () => {
  const job = { id: 'bash-1' as JobId, kind: 'bash', label: 'npm test', state: 'running' } as const;
  expect(changedNotifications(idle, { ...idle, jobs: [job] })).toEqual([{ kind: 'jobs', data: { jobs: [job] } }]);
});

test.each([
  ['starting', 'idle', { kind: 'agent/created', data: { source: 'startup' } }],
  ['closed', 'idle', { kind: 'agent/created', data: { source: 'resume' } }],
  ['running', 'closed', { kind: 'agent/disposed', data: {} }],
  ['running', 'broken', { kind: 'agent/error', data: { code: 'SESSION_BROKEN', remedy: 'resume the session' } }],
] as const)('from %s to %s', (before, after, notification) => {
  expect(changedNotifications({ ...idle, status: before }, { ...idle, status: after })).toEqual([
    notification,
    { kind: 'agent/status', data: { status: after } },
  ]);
});
