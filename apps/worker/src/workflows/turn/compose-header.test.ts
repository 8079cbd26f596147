import { ActivityFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { beforeEach, expect, test, vi } from 'vitest';
import { composeHeader } from './compose-header.ts';
import { appendNews, type TurnState } from './turn-state.ts';

interface Asked {
  skills?: string;
  here?: true;
}
const worker = vi.hoisted(() => ({ isNew: true, asked: [] as object[], answer: (_asked: object): object => ({}) }));
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  patched: () => worker.isNew,
  workflowInfo: () => ({ taskQueue: 'everturn' }),
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({
    assignHost: async () => ({ kind: 'host', host: 'h', epoch: 1 }),
    assemble: async (asked: object) => {
      worker.asked.push(asked);
      return worker.answer(asked);
    },
  }),
}));
beforeEach(() => Object.assign(worker, { isNew: true, asked: [] }));

const assembly = { config: {}, registry: 'r', listeners: [] };
const catalog = { content: [{ type: 'text', text: 'skills: a' }], source: { kind: 'skills' } };

/** A turn that has no assembly yet, and what it writes. */
function opened(skills?: object): { turn: TurnState; written: unknown[] } {
  const written: unknown[] = [];
  const turn = {
    input: { message: { content: [], source: { kind: 'user' } } },
    ref: { session: 's' },
    permissions: {},
    instance: skills ? { skills } : {},
    calledFor: [],
    news: [],
    writer: {
      carry: (work: (commit: undefined) => unknown) => work(undefined),
      append: (_type: string, data: unknown) => written.push(data),
    },
  };
  return { turn: turn as unknown as TurnState, written };
}

const changed = { kind: 'assembled', assembly, workspace: { skills: 'new', catalog } };

test('what changed among the skills is known once it is written, and asked for again until then', async () => {
  worker.answer = () => changed;
  const { turn, written } = opened({ digest: 'old' });
  await composeHeader(turn);
  expect(turn.instance).toEqual({ skills: { digest: 'old' } });
  appendNews(turn);
  expect(written).toEqual([catalog]);
  expect(turn.instance).toEqual({ skills: { digest: 'new', told: catalog } });
});

test('a header composed again before that does not tell it twice', async () => {
  worker.answer = (asked) =>
    (asked as Asked).skills === 'new' ? { kind: 'assembled', assembly, workspace: { skills: 'new' } } : changed;
  const { turn, written } = opened();
  await composeHeader(turn);
  turn.assembled = 'before-change';
  await composeHeader(turn);
  appendNews(turn);
  appendNews(turn);
  expect([worker.asked.length, written]).toEqual([2, [catalog]]);
  expect(turn.instance).toEqual({ skills: { digest: 'new', told: catalog } });
});

function notTaken(): never {
  const timeout = new TimeoutFailure('not taken', undefined, TimeoutType.SCHEDULE_TO_START);
  throw new ActivityFailure('not taken', 'assemble', undefined, 'TIMEOUT' as never, undefined, timeout);
}

test('a machine that does not take the composing in time leaves what was composed elsewhere', async () => {
  worker.answer = (asked) =>
    (asked as Asked).here ? notTaken() : { kind: 'assembled', elsewhere: true, assembly: { ...assembly, cwd: '/w' } };
  const { turn } = opened();
  expect(await composeHeader(turn)).toBeUndefined();
  expect(turn.assembly).toMatchObject({ cwd: '/w' });

  worker.isNew = false;
  await expect(composeHeader(opened().turn)).rejects.toThrow(ActivityFailure);
});
