import { expect, test } from 'vitest';
import { parseBenchOptions } from './options.ts';

const names = (argv: string[]) => parseBenchOptions(argv).chosen.map(({ name }) => name);

test('without arguments everything is measured in full', () => {
  const { chosen, ...rest } = parseBenchOptions([]);
  expect(rest).toEqual({ size: 'full', output: 'table', profile: false });
  expect(new Set(chosen.map(({ name }) => name)).size).toBe(chosen.length);
});

test('chosen benchmarks run in the order of a whole run', () => {
  expect(names(['--only', 'idle', '--only', 'step'])).toEqual(['step', 'idle']);
});

test('an unknown one is refused with those there are', () => {
  const refusal = expect.objectContaining({ code: 'INFRA_BAD_ARGUMENT', message: expect.stringContaining('recovery') });
  expect(() => names(['--only', 'speed'])).toThrow(refusal);
});
