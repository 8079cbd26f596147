import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCutOff } from './cut-off-arguments.ts';

test.each([
  ['{"path":"m.md","content":"# Ti', true],
  ['{"path":"m.md"', true],
  ['{"a":[1,', true],
  ['{"a":"quote \\"', true],
  ['{"path":"n.md"}', false],
  ['', false],
  ['{"a":"}{"}', false],
  ['{"a":1]', false],
  ['not json', false],
])('%s', (raw, expected) => {
  expect(isCutOff(raw)).toBe(expected);
});

test('every proper beginning of an object is cut off, the whole is not', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
      const raw = JSON.stringify(value);
      expect(isCutOff(raw)).toBe(false);
      expect(isCutOff(raw.slice(0, 1 + (at % (raw.length - 1))))).toBe(true);
    }),
  );
});
