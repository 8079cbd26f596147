import { expect, test } from 'vitest';
import { intervals, median, percentile } from './statistics.ts';

test('a percentile is a value of the sample, by the nearest rank', () => {
  const sample = [40, 10, 30, 20];
  expect([0, 25, 26, 50, 95, 100].map((p) => percentile(sample, p))).toEqual([10, 10, 20, 20, 40, 40]);
  expect(percentile([], 50)).toBeNaN();
  expect(sample).toEqual([40, 10, 30, 20]);
});

test('a median lies between the two middles', () => {
  expect([median([3]), median([1, 4]), median([9, 1, 5]), median([4, 1, 3, 2])]).toEqual([3, 2.5, 5, 2.5]);
  expect(median([])).toBeNaN();
});

test('intervals are one fewer than the values', () => {
  expect(intervals([1, 4, 6])).toEqual([3, 2]);
  expect(intervals([1])).toEqual([]);
});
