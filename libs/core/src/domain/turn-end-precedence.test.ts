import { expect, test } from 'vitest';
import { turnEndReason } from './turn-end-precedence.ts';

const error = { kind: 'error' as const, step: 2, message: 'boom' };
const none = { kind: 'none' as const };

test.each([
  [{ cancellation: { kind: 'requested', cause: 'disposed' }, error, tokenLimit: 'hit' }, { kind: 'disposed' }],
  [{ cancellation: { kind: 'requested', cause: 'parent' }, error, tokenLimit: 'hit' }, { kind: 'aborted' }],
  [{ cancellation: none, error, tokenLimit: 'hit' }, error],
  [{ cancellation: none, tokenLimit: 'hit' }, { kind: 'max-tokens' }],
  [{ cancellation: none, tokenLimit: 'clear' }, { kind: 'completed' }],
] as const)('%o ends as %o', (input, reason) => {
  expect(turnEndReason(input)).toEqual(reason);
});
