import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inert, inertLine } from './inert.ts';
import { InertStream } from './inert-stream.ts';

const ESC = '\u001b';
const BEL = '\u0007';

describe('inert', () => {
  test.each([
    ['clipboard', `${ESC}]52;c;cHduZWQ=${BEL}`, '␛]52;c;cHduZWQ=␇'],
    ['hyperlink', `${ESC}]8;;http://evil/${BEL}`, '␛]8;;http://evil/␇'],
    ['clear screen', `${ESC}[2J`, '␛[2J'],
    ['one-byte CSI', '\u009b2J', '<U+009B>2J'],
    ['right-to-left override', 'a\u202eb', 'a<U+202E>b'],
    ['isolates', '\u2066x\u2069', '<U+2066>x<U+2069>'],
    ['a carriage return that would overwrite the line', 'bad\rgood', 'bad␍good'],
    ['CRLF', 'a\r\nb\tc', 'a\nb\tc'],
    ['backspace and delete', 'a\b\u007f', 'a␈␡'],
    ['line separators', 'a\u2028b\u0085c', 'a<U+2028>b<U+0085>c'],
    ['hidden text in tag characters', 'x\u{e0041}', 'x<U+E0041>'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['ordinary text', '北京🙂 👩‍💻 é', '北京🙂 👩‍💻 é'],
  ])('%s', (_what, text, shown) => {
    expect(inert(text)).toBe(shown);
  });

  test('nothing but line feeds and tabs controls anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(inert(text)).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
      }),
    );
  });
});

test('a text cut anywhere shows as the whole does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '\r', '\n', ESC, '\ud83d', '\ude42', '\u202e') })),
      (pieces) => {
        const stream = new InertStream();
        expect(pieces.map((piece) => stream.push(piece)).join('') + stream.end()).toBe(inert(pieces.join('')));
      },
    ),
  );
});

test('one line is one line, and as long as asked', () => {
  expect(inertLine('  two\n lines\t here ')).toBe('two lines here');
  expect(inertLine(`${ESC}[31m🙂🙂🙂🙂`, 6)).toBe('␛[31m…');
  expect(inertLine('x'.repeat(5_000_000), 3)).toBe('xx…');
});
