import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

test.each([
  ['127.0.0.1', true],
  ['127.3.2.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
])('%s is loopback: %s', async (host, expected) => {
  expect(await isLoopback(host)).toBe(expected);
});
