import { expect, test } from 'vitest';
import { closersOf, interruption, requestCancel } from './cancellation.ts';
import type { CancelCause, Cancellation } from './cancellation.ts';

const after = (...causes: CancelCause[]) => causes.reduce<Cancellation>(requestCancel, { kind: 'none' });

test('the first cause wins, and disposal beats it', () => {
  expect(after('user', 'parent')).toEqual({ kind: 'requested', cause: 'user' });
  expect(after('parent', 'disposed', 'user')).toEqual({ kind: 'requested', cause: 'disposed' });
});

test('the log tells disposal apart, nothing else', () => {
  expect([after(), after('user'), after('parent'), after('disposed')].map((state) => interruption(state))).toEqual([
    undefined,
    { kind: 'aborted' },
    { kind: 'aborted' },
    { kind: 'disposed' },
  ]);
});

test('closes what is open, innermost first', () => {
  const reason = { kind: 'aborted' as const };
  expect(closersOf({}, reason)).toEqual([]);
  expect(closersOf({ turn: 2 }, reason)).toEqual([{ type: 'turn/end', data: { turn: 2, reason } }]);
  expect(closersOf({ turn: 2, step: 3 }, reason)).toEqual([
    { type: 'step/end', data: { turn: 2, step: 3 } },
    { type: 'turn/end', data: { turn: 2, reason } },
  ]);
});
