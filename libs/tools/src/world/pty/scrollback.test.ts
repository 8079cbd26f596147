import { expect, test } from 'vitest';
import { Scrollback } from './scrollback.ts';

const filled = (text: string, size = { maxLines: 100, maxCharacters: 10_000 }) => {
  const scrollback = new Scrollback(size);
  for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) scrollback.append(piece);
  return scrollback;
};

test('text is told from any place on', () => {
  const scrollback = filled('one\ntwo\nthree');
  expect(scrollback.end).toBe(13);
  for (let place = 0; place <= 13; place++)
    expect(scrollback.textFrom(place)).toEqual({ text: 'one\ntwo\nthree'.slice(place), lost: false });
});

test('the oldest lines go, and places stay what they were', () => {
  const scrollback = filled('1\n2\n3\n4\n5', { maxLines: 2, maxCharacters: 1_000 });
  expect(scrollback.end).toBe(9);
  expect(scrollback.textFrom(0)).toEqual({ text: '4\n5', lost: true });
  expect(scrollback.textFrom(8)).toEqual({ text: '5', lost: false });
  expect(scrollback.lines({ offset: 0, count: 500 })).toEqual({ text: '4\n5', begin: 4, end: 5, total: 5 });
});

test('one line that is longer than everything may be keeps its end', () => {
  const scrollback = filled(`a\n${'x'.repeat(50)}yz`, { maxLines: 10, maxCharacters: 10 });
  expect(scrollback.textFrom(0)).toEqual({ text: `${'x'.repeat(8)}yz`, lost: true });
  expect(scrollback.end).toBe(54);
});

test.each([
  [
    { offset: 0, count: 500 },
    { text: 'a\nb\nc', begin: 1, end: 3, total: 3 },
  ],
  [
    { offset: 0, count: 1 },
    { text: 'c', begin: 3, end: 3, total: 3 },
  ],
  [
    { offset: 1, count: 1 },
    { text: 'b', begin: 2, end: 2, total: 3 },
  ],
  [
    { offset: 3, count: 1 },
    { text: '', begin: 0, end: 0, total: 3 },
  ],
])('lines %j', (asked, expected) => {
  expect(filled('a\nb\nc\n').lines(asked)).toEqual(expected);
});

test('nothing printed is no line', () => {
  expect(filled('').lines({ offset: 0, count: 5 })).toEqual({ text: '', begin: 0, end: 0, total: 0 });
});
