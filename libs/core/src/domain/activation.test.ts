import { expect, test } from 'vitest';
import {
  activate,
  callChild,
  FIRST_ACTIVATION,
  releaseChild,
  settlementNotice,
  standing,
  type Activation,
  type RequestId,
  type SessionId,
  nextLookMs,
  olderThan,
} from './index.ts';

const m = (n: number) => `m${n}` as RequestId;
const c = 'c' as SessionId;

test('messages belong to the activation they came in; one after it had settled begins the next', () => {
  const one = activate(activate(FIRST_ACTIVATION, m(1)), m(1));
  expect(one).toEqual({ state: 'running', epoch: 1, taken: [m(1)] });
  expect(activate(one, undefined)).toEqual(one);
  expect(activate({ ...one, state: 'settled' }, m(2))).toEqual({ state: 'running', epoch: 2, taken: [m(2)] });
});

test.each([
  ['at work', { agent: 'busy', unread: 0, children: 0 }, 'running', 'running'],
  ['with an accepted message unread', { agent: 'idle', unread: 1, children: 0 }, 'running', 'running'],
  ['idle while a child of its works', { agent: 'idle', unread: 0, children: 1 }, 'running', 'waiting'],
  ['with nothing left', { agent: 'idle', unread: 0, children: 0 }, 'running', 'due'],
  ['that has said so', { agent: 'idle', unread: 0, children: 0 }, 'settled', 'settled'],
] as const)('an agent %s', (_what, facts, state, answer) => {
  const activation: Activation = { ...FIRST_ACTIVATION, state };
  expect(standing({ activation, ...facts })).toBe(answer);
});

test('a child is at work while any message to it is open, also one sent while it settled', () => {
  const open = callChild(callChild({}, c, m(1)), c, m(2));
  expect(callChild(open, c, m(2))).toBe(open);
  const settled = releaseChild(open, c, [m(1)]);
  expect(settled).toEqual({ c: [m(2)] });
  expect(releaseChild(settled, c, [m(2)])).toEqual({});
  expect(releaseChild(open, c, 'all')).toEqual({});
  expect(releaseChild({}, c, [m(1)])).toEqual({});
});

test('a child that has dealt with messages has nothing older in hand, which only a life that died can have left', () => {
  const open = [m(1), m(2), m(3)].reduce((known, message) => callChild(known, c, message), {});
  expect(olderThan(open, c, [m(2)])).toEqual([m(1)]);
  expect(olderThan(open, c, [m(3), m(1)])).toEqual([m(2)]);
  expect(olderThan(open, c, [m(1)])).toEqual([]);
  expect(olderThan(open, c, [m(9)])).toEqual([]);
  expect(olderThan({}, c, [m(1)])).toEqual([]);
});

test.each([
  ['completed', 'subagent c finished; it does nothing further unless you message it.'],
  ['aborted', 'subagent c was stopped before it finished.'],
  ['max-tokens', 'subagent c ran out of room before it finished.'],
  ['refusal', 'subagent c declined the task.'],
  ['error', 'subagent c failed.'],
] as const)('%s is told as: %s', (stop, line) => {
  expect(settlementNotice({ child: c, stop, words: ' ' })).toEqual([
    { type: 'text', text: `${line}\nIt left no closing message.` },
  ]);
  expect(settlementNotice({ child: c, stop, diagnostic: 'why', words: 'bye' })).toEqual([
    { type: 'text', text: `${line}\nDiagnostic: why\nIts closing message:` },
    { type: 'text', text: 'bye' },
  ]);
});

test('an owner looks after its children less and less often', () =>
  expect([0, 1, 2, 7, 8, 100].map(nextLookMs)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000]));
