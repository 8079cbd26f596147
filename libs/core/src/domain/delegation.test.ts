import { expect, test } from 'vitest';
import {
  checkDepth,
  childDiagnostic,
  childErrorText,
  childHeadline,
  childStop,
  narrowTools,
  SubagentDescriptor,
  type TurnEndReason,
} from './index.ts';

const failed = { kind: 'error', step: 1, failure: { code: 'SERVER', message: 'it broke' } } as TurnEndReason;

test.each<[TurnEndReason | undefined, 'one-shot' | 'continuable', boolean, string]>([
  [{ kind: 'completed' }, 'one-shot', false, 'completed'],
  [{ kind: 'completed' }, 'one-shot', true, 'completed'],
  [{ kind: 'aborted' }, 'one-shot', true, 'aborted'],
  [{ kind: 'disposed' }, 'continuable', true, 'aborted'],
  [failed, 'one-shot', false, 'error'],
  [{ kind: 'max-tokens' }, 'one-shot', false, 'max-tokens'],
  [{ kind: 'rejected', reason: 'no' }, 'one-shot', false, 'refusal'],
  [{ kind: 'interrupted' }, 'one-shot', false, 'error'],
  [{ kind: 'interrupted' }, 'continuable', false, 'aborted'],
  [undefined, 'one-shot', true, 'aborted'],
  [undefined, 'one-shot', false, 'error'],
])('a last turn that ended as %j is, of a %s child, cancelled %s: %s', (reason, mode, cancelled, stop) => {
  expect(childStop(reason, { mode, cancelled })).toBe(stop);
});

test.each([
  ['aborted', 'subagent run was cancelled'],
  ['error', 'subagent run failed'],
  ['max-tokens', 'subagent run hit its token limit before finishing'],
  ['refusal', 'subagent declined the task'],
  ['paused', 'subagent run ended abnormally (paused)'],
])('%s reads as: %s', (stop, text) => expect(childHeadline(stop)).toBe(text));

test('an error has its cause and what was said, where there is either', () => {
  expect(childErrorText({ stop: 'error', output: '' })).toBe('subagent run failed');
  expect(childErrorText({ stop: 'error', diagnostic: childDiagnostic(failed), output: 'half' })).toBe(
    'subagent run failed\nDiagnostic: SERVER: it broke\nPartial output before the run ended:\nhalf',
  );
  expect(childDiagnostic({ kind: 'rejected', reason: 'not today' })).toBe('not today');
  expect(childDiagnostic({ kind: 'aborted' })).toBeUndefined();
});

test.each([
  [
    { header: undefined, maxDepth: 3 },
    { kind: 'allowed', depth: 1 },
  ],
  [
    { header: 2, maxDepth: 3 },
    { kind: 'allowed', depth: 3 },
  ],
  [
    { header: 3, maxDepth: 3 },
    { kind: 'refused', message: expect.stringMatching(/\b4\b.*\b3\b/) },
  ],
  [
    { header: undefined, maxDepth: 0 },
    { kind: 'refused', message: expect.stringMatching(/\b1\b.*\b0\b/) },
  ],
  [
    { header: 2, runtime: 1, maxDepth: 2 },
    { kind: 'refused', message: expect.stringMatching(/\b3\b.*\b2\b/) },
  ],
  [
    { header: 9, maxDepth: 'provider-managed' },
    { kind: 'allowed', depth: 10 },
  ],
] as const)('depth of %j', (input, answer) => expect(checkDepth(input)).toEqual(answer));

test('a depth that is no safe integer is an error', () => {
  expect(() => checkDepth({ header: 0.5, maxDepth: 3 })).toThrow(RangeError);
  expect(() => checkDepth({ header: 2 ** 53, maxDepth: 3 })).toThrow(RangeError);
});

test('filters intersect', () => {
  expect(narrowTools(undefined, undefined)).toBeUndefined();
  expect(narrowTools({ deny: ['bash'] }, { allow: ['read'] })).toEqual({ allow: ['read'], deny: ['bash'] });
  expect(narrowTools({ allow: ['read', 'bash'], deny: ['x'] }, { allow: ['read', 'write'], deny: ['y'] })).toEqual({
    allow: ['read'],
    deny: ['x', 'y'],
  });
});

test('a descriptor is strict', () => {
  const one = { version: 2, mode: 'one-shot', provider: 'spawn', label: 'look' };
  expect(SubagentDescriptor.safeParse(one).success).toBe(true);
  expect(SubagentDescriptor.safeParse({ ...one, extra: 1 }).success).toBe(false);
  expect(SubagentDescriptor.safeParse({ ...one, version: 3 }).success).toBe(false);
  expect(SubagentDescriptor.safeParse({ ...one, mode: 'continuable', label: undefined }).success).toBe(false);
});
