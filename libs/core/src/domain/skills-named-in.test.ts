import { expect, test } from 'vitest';
import { skillsNamedIn } from './skills-named-in.ts';

test.each([
  ['/tidy', ['tidy']],
  ['please /tidy-up and /b\n/tidy-up again', ['tidy-up', 'b']],
  ['/name/x and 5/8 and a/name and //x and /Name, /x.', []],
])('%j calls for %j', (words, names) => expect(skillsNamedIn(words)).toEqual(names));
