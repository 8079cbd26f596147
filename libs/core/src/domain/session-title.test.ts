import { expect, test } from 'vitest';
import { fallbackTitle, normalizeTitle } from './session-title.ts';

test.each([
  ['  Fix\n the\tbuild ', 'Fix the build'],
  ['\u001B[31mred\u001B[0m \u001B]8;;http://x\u0007link\u001B]8;;\u0007', 'red link'],
  ['a\u202Eb\u0000c', 'a b c'],
  ['ü'.repeat(60), 'ü'.repeat(40)],
  ['😀'.repeat(30), '😀'.repeat(20)],
  [' \u0007\n', undefined],
])('%j is kept as %j', (given, kept) => expect(normalizeTitle(given)).toBe(kept));

test.each([
  ['please fix the failing build of the parser', 'please fix the failing build'],
  ['Donaudampfschifffahrtsgesellschaftskapitän meldet sich', 'Donaudampfschifffahrtsgesellschaftskapit'],
  ['', undefined],
])('%j is called %j', (words, title) => expect(fallbackTitle(words)).toBe(title));
