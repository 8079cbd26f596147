import { describe, expect, test } from 'vitest';
import type { JsonValue } from './json.ts';
import { countRepeat, type RepeatCount, type RepeatSettings } from './repeat-guard.ts';

const shipped: RepeatSettings = { thresholds: [3, 5, 8], exclude: [] };

/** Makes calls one after the other and gives the reminders, by the number of the call. */
function reminders(calls: [string, JsonValue][], settings = shipped) {
  let repeats: RepeatCount | undefined;
  return calls.flatMap(([name, args], index) => {
    const counted = countRepeat(repeats, { name, arguments: args }, settings);
    repeats = counted.repeats;
    return counted.reminder === undefined ? [] : [[index + 1, counted.reminder] as const];
  });
}
const times = (count: number, name = 'read', args: JsonValue = { path: 'a' }) =>
  Array.from({ length: count }, (): [string, JsonValue] => [name, args]);
const numbers = (calls: [string, JsonValue][], settings?: RepeatSettings) =>
  reminders(calls, settings).map(([number]) => number);

describe('reminders', () => {
  test('come at the third, fifth and eighth call in a row, the first gently', () => {
    const found = reminders(times(12));
    expect(found.map(([number]) => number)).toEqual([3, 5, 8]);
    expect(found[0]?.[1]).toContain('"read" 3 times');
    expect(found[0]?.[1]).not.toContain('path');
    expect(found[1]?.[1]).toContain('"read" 5 times in a row with the same arguments: {"path":"a"}');
  });

  test('another call, or other arguments, begin anew; the order of arguments does not', () => {
    expect(numbers([...times(2), ...times(1, 'write'), ...times(2)])).toEqual([]);
    expect(numbers([...times(2), ...times(2, 'read', { path: 'b' })])).toEqual([]);
    const ordered: [string, JsonValue][] = [
      ['edit', { a: 1, b: 2 }],
      ['edit', { b: 2, a: 1 }],
      ['edit', { a: 1, b: 2 }],
    ];
    expect(numbers(ordered)).toEqual([3]);
  });

  test('what is excluded neither counts nor interrupts', () => {
    const settings = { ...shipped, exclude: ['job_*'] };
    expect(numbers([...times(2), ...times(5, 'job_output'), ...times(1)], settings)).toEqual([8]);
    expect(numbers([...times(2), ...times(5, 'x'), ...times(1)], { ...shipped, include: ['read'] })).toEqual([8]);
  });

  test('long arguments are shown in part', () => {
    const [, second] = reminders(times(5, 'bash', 'x'.repeat(600)));
    expect(second?.[1]).toContain(`${'x'.repeat(500)}… (+100 more chars)`);
  });
});

test.each([
  ['job_*', 'job_list', true],
  ['job_*', 'jobs', false],
  ['*', 'anything', true],
  ['mcp__*__read', 'mcp__files__read', true],
  ['mcp__*__read', 'mcp__files__write', false],
  ['a*a', 'a', false],
  ['a*b*c', 'axxbxxc', true],
  ['a*b*c', 'axxcxxb', false],
])('the pattern %s for %s: %s', (pattern, name, excluded) => {
  expect(numbers(times(3, name), { ...shipped, exclude: [pattern] })).toEqual(excluded ? [] : [3]);
});
