import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Figure } from '../benchmark.ts';
import { tableOf } from './table.ts';
import { verdictOf } from './verdict.ts';

const figures: Figure[] = [
  { name: 'fast', unit: 'ms', value: 12.34, floor: 10, target: { of: 'ratio', atMost: 1.3 } },
  { name: 'slow', unit: 'ms', value: 250, target: { of: 'value', atMost: 180 }, note: '20 samples' },
  { name: 'explains', unit: 'bytes', value: 1_234_000, floor: 1_000 },
  { name: 'unknown here', unit: 'count', value: Number.NaN, target: { of: 'value', atMost: 5 } },
];

test('a table shows value, floor, ratio and target, and what was missed', () => {
  const table = tableOf({ name: 'b', title: 'A benchmark', seconds: 3, figures });
  expect(stripVTControlCharacters(table).split('\n')).toEqual([
    'A benchmark (3 s)',
    '                 figure    floor    ratio    target',
    '  fast          12.3 ms  10.0 ms     1.23   ≤ 1.3 ×           met',
    '  slow           250 ms                    ≤ 180 ms        MISSED',
    '  explains       1.2 MB   1.0 kB  1234.00',
    '  unknown here        —                         ≤ 5  not measured',
    '    slow: 20 samples',
  ]);
});

test('a benchmark that could not measure says why', () => {
  const table = tableOf({
    name: 'b',
    title: 'A benchmark',
    seconds: 0.4,
    figures: [],
    error: 'Error: no worker\n  at x',
  });
  expect(stripVTControlCharacters(table)).toBe(
    'A benchmark (0 s)\n    could not measure: Error: no worker\n      at x',
  );
});

test('a ratio is judged only where it is asked for', () => {
  expect(figures.map(verdictOf)).toEqual(['met', 'missed', 'no target', 'not measured']);
});
