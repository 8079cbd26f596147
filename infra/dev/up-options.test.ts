import { expect, test } from 'vitest';
import { jobArguments, parseUpOptions } from './up-options.ts';

test('without arguments it runs the demo and stays up', () => {
  const options = parseUpOptions([]);
  expect(options).toEqual({ once: false, demo: true, prompt: undefined, serversOnly: false });
  expect(jobArguments(options)).toEqual(['run', '--demo']);
});

test('a prompt takes the place of the demo', () => {
  const options = parseUpOptions(['fix the tests', '--once']);
  expect(options).toMatchObject({ once: true, demo: false });
  expect(jobArguments(options)).toEqual(['run', '--', 'fix the tests']);
});

test('no job without a demo', () => {
  expect(jobArguments(parseUpOptions(['--no-demo']))).toBeUndefined();
  expect(jobArguments(parseUpOptions(['--servers-only']))).toBeUndefined();
});

test('an unquoted prompt is refused with the remedy', () => {
  expect(() => parseUpOptions(['fix', 'the', 'tests'])).toThrow('put the prompt in quotes');
});

test('options that exclude one another are refused', () => {
  expect(() => parseUpOptions(['--servers-only', '--once'])).toThrow('starts nothing that could run a job');
  expect(() => parseUpOptions(['--nonsense'])).toThrow('--nonsense');
});
