import { expect, test } from 'vitest';
import { z } from 'zod';
import { cursorOf } from './cursor.ts';

const cursor = cursorOf(z.strictObject({ at: z.int(), id: z.string() }));

test('reads what it wrote', () => {
  const value = { at: 5, id: 'ü/?&' };
  expect(cursor.read(cursor.write(value))).toEqual(value);
  expect(cursor.write(value)).toMatch(/^[\w-]+$/);
});

test.each(['x', '', 'bnVsbA', cursorOf(z.number()).write(5), 'eyJhdCI6IjUifQ'])('refuses %j', (text) => {
  expect(() => cursor.read(text)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }));
});
