import { expect, test } from 'vitest';
import { isReopened } from './is-reopened.ts';

test('a new life counts once it has said how it stands', () => {
  const before = { generation: 1 };
  expect(isReopened(before, { generation: 1, status: 'closed' })).toBe(false);
  expect(isReopened(before, { generation: 2, status: 'closed' })).toBe(false);
  expect(isReopened(before, { generation: 2, status: 'broken' })).toBe(false);
  expect(isReopened(before, { generation: 2, status: 'idle' })).toBe(true);
  expect(isReopened(before, { generation: 2, status: 'running' })).toBe(true);
});
