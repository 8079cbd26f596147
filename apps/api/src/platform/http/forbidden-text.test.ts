import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forbiddenText } from './forbidden-text.ts';

describe('forbiddenText', () => {
  test('finds each text that cannot be kept, and names where it stands', () => {
    const value = JSON.parse('{"a":["ok","\\u0000"],"\\ud83d":1,"__proto__":2,"b":{"c":"\\udc00"}}') as unknown;
    expect(forbiddenText(value, 'body').map(({ field }) => field)).toEqual([
      'body.a[1]',
      'body["\\ud83d"]',
      'body["__proto__"]',
      'body.b.c',
    ]);
  });

  test('has nothing against text that looks like an escape, nor against whole emoji', () => {
    expect(forbiddenText({ a: '\\u0000 \\ud83d 🙂 \u2028 \u001b' }, 'body')).toEqual([]);
  });

  test('agrees with what UTF-8 and Postgres can hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const kept = !text.includes('\0') && Buffer.from(text, 'utf8').toString('utf8') === text;
        expect(forbiddenText([text], 'body').length === 0).toBe(kept);
      }),
    );
  });

  test('survives any depth and any number of faults', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(forbiddenText(deep, 'body')).toEqual([
      { field: expect.any(String), message: 'is nested deeper than 500 levels' },
    ]);
    expect(
      forbiddenText(
        Array.from({ length: 1_000 }, () => '\0'),
        'body',
      ),
    ).toHaveLength(20);
  });
});
