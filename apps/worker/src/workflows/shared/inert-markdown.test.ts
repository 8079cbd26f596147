import { expect, test } from 'vitest';
import { literal } from './inert-markdown.ts';

test.each([
  ['glob: **/*.ts', '`glob: **/*.ts`'],
  ['a `b`\n# c', "`a 'b' # c`"],
  ['![x](http://evil.example/x.png)', '`![x](http://evil.example/x.png)`'],
  [' \n', ''],
])('%j shows as itself', (text, markdown) => expect(literal(text)).toBe(markdown));
