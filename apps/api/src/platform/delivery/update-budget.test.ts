import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { UpdateBudget } from './update-budget.ts';

const session = 's1' as SessionId;

test('a long turn is sent 1,500 updates, then signals, and the next turn updates again', () => {
  const budget = new UpdateBudget();
  const ways = Array.from({ length: 1_502 }, () => budget.next(session, 3));
  expect(ways.lastIndexOf('update')).toBe(1_499);
  expect(ways.slice(1_500)).toEqual(['signal', 'signal']);
  expect(budget.next('other' as SessionId, 3)).toBe('update');
  expect(budget.next(session, 4)).toBe('update');
});

test('an idle session has its whole budget', () => {
  const budget = new UpdateBudget();
  for (let sent = 0; sent < 1_600; sent += 1) budget.next(session, 3);
  expect(budget.next(session, undefined)).toBe('update');
  expect(budget.next(session, 3)).toBe('update');
});
