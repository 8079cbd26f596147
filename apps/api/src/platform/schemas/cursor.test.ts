import { expect, test } from 'vitest';
import { z } from 'zod';
import { cursorOf, cursorTime } from './cursor.ts';

const cursor = cursorOf(z.strictObject({ at: cursorTime, id: z.string() }));

test('reads what it wrote', () => {
  const value = { at: 5, id: 'ü/?&' };
  expect(cursor.read(cursor.write(value))).toEqual(value);
  expect(cursor.write(value)).toMatch(/^[\w-]+$/);
});

test.each([
  ['text that no database keeps', { at: 5, id: 'a\0' }],
  ['half a character', { at: 5, id: '\ud800' }],
  ['a moment that is no date', { at: 9e15, id: 'a' }],
  ['one before any', { at: -1, id: 'a' }],
])('refuses %s', (_what, value) => {
  expect(() => cursor.read(cursor.write(value))).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }));
});

test.each(['x', '', 'bnVsbA', cursorOf(z.number()).write(5), 'eyJhdCI6IjUifQ'])('refuses %j', (text) => {
  expect(() => cursor.read(text)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }));
});
