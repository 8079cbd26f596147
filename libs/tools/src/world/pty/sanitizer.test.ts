import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sanitizer } from './sanitizer.ts';

const clean = (...chunks: string[]) => {
  const sanitizer = new Sanitizer();
  const parts = chunks.map((chunk) => sanitizer.push(chunk));
  return {
    text: parts.map(({ text }) => text).join(''),
    marks: parts.flatMap(({ marks }) => marks.map(({ body }) => body)),
  };
};

const NASTY =
  'a\u001B[31mred\u001B[0m\r\nb\u001B]52;c;cHduZWQ=\u0007c\u001B]8;;http://evil\u001B\\d\u001B[2Je\u001B(Bf\u0007\rg\u001BMh\u009B1';

test.each([
  ['colors', 'a\u001B[1;31mb\u001B[0m', 'ab'],
  ['clipboard and links, however they end', '1\u001B]52;c;eA==\u00072\u001B]8;;http://x\u001B\\3', '123'],
  ['short escapes and bells', 'a\u001BMb\u001B(Bc\u0007d\u001B=e', 'abcde'],
  ['line ends', 'a\r\nb\rc\n\r\nd', 'a\nb\nc\n\nd'],
  ['other control characters, tabs stay', 'a\u0000b\u0008c\td\u009Be', 'abc\tde'],
  ['wide characters stay', '北京🙂', '北京🙂'],
])('takes away %s', (_what, given, expected) => {
  expect(clean(given).text).toBe(expected);
});

test('pieces make no difference', () => {
  const whole = clean(NASTY);
  expect(whole.text).toBe('ared\nbcdef\nggh1'.replace('gg', 'g'));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: NASTY.length }), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), NASTY.length];
      const pieces = places.slice(1).map((place, index) => NASTY.slice(places[index], place));
      expect(clean(...pieces)).toEqual(whole);
    }),
  );
});

test('an unfinished sequence waits for its end, but not for ever', () => {
  expect(clean('a\u001B]0;title')).toEqual({ text: 'a', marks: [] });
  expect(clean('a\u001B]0;title', '\u0007b')).toEqual({ text: 'ab', marks: ['0;title'] });
  const long = 'x'.repeat(10_000);
  expect(clean('a\u001B]0;', long, 'b').text).toContain(`${long}b`);
});

test('marks are told by place', () => {
  expect(new Sanitizer().push('ab\u001B]133;D;0;n\u0007$ ')).toEqual({
    text: 'ab$ ',
    marks: [{ at: 2, body: '133;D;0;n' }],
  });
});
