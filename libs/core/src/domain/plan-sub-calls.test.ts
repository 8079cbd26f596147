import { describe, expect, test } from 'vitest';
import type { PlannedCall } from './plan-tool-batch.ts';
import { planSubCalls } from './plan-sub-calls.ts';
import { WorkTime } from './work-time.ts';

/** `p` and `x` = parallel and exclusive; a capital is running, `*` after it finished. */
const parse = (line: string): PlannedCall[] =>
  (line.match(/[a-z]\*?/gi) ?? []).map((sign) => ({
    concurrency: sign[0]?.toLowerCase() === 'p' ? 'parallel' : 'exclusive',
    state: sign.endsWith('*') ? 'finished' : sign === sign.toLowerCase() ? 'waiting' : 'running',
  }));

describe('which sub-calls start', () => {
  test.each<[string, number[]]>([
    ['', []],
    ['ppp', [0, 1, 2]],
    ['pppp', [0, 1, 2]],
    ['PPp', [2]],
    ['PPPp', []],
    ['PP*pp', [2, 3]],
    ['xp', [0]],
    ['Xp', []],
    ['x*p', []],
    ['pxp', [0]],
    ['Pxp', []],
    ['P*xp', []],
    ['xx', [0]],
  ])('%s', (line, start) => {
    expect(planSubCalls({ calls: parse(line), maxParallel: 3 })).toEqual(start);
  });
});

test('work time leaves out what people take', () => {
  const time = new WorkTime(5, 100);
  expect([time.spentMs(110), time.state]).toEqual([15, 'works']);
  time.turn('works', 110);
  time.turn('waits', 120);
  expect([time.spentMs(1_000), time.state]).toEqual([25, 'waits']);
  time.turn('waits', 1_000);
  time.turn('works', 2_000);
  expect(time.spentMs(2_001)).toBe(26);
});
