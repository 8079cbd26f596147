import { expect, test } from 'vitest';
import type { FeedRow } from '@everturn/core/postgres';
import { pauseAfter } from './feed-pace.ts';

const rows = [{} as FeedRow];

test('a feed goes on at once where more is there, and asks less and less often for what is held back', () => {
  expect(pauseAfter({ rows, rest: 'maybe' }, 0)).toBe(0);
  expect(pauseAfter({ rows, rest: 'none' }, 400)).toBe(25);
  expect(pauseAfter({ rows, rest: 'waiting' }, 400)).toBe(25);
  const pauses: number[] = [25];
  for (let n = 0; n < 6; n += 1) pauses.push(pauseAfter({ rows: [], rest: 'waiting' }, pauses.at(-1) ?? 0));
  expect(pauses).toEqual([25, 50, 100, 200, 400, 400, 400]);
});
