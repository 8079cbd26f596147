import { expect, test } from 'vitest';
import { notGranted, withoutAsking } from './decide-call.ts';

test.each([
  ['rejected', 'the user rejected escalating this program to "workspace-write"'],
  ['cancelled', 'approval for escalating to "workspace-write" was cancelled'],
  [
    'unavailable',
    'escalating this program to "workspace-write" requires approval, but no approval channel is available',
  ],
] as const)('a wider mode that nobody grants: %s', (outcome, text) => {
  expect(notGranted(outcome, { subject: 'program', mode: 'workspace-write' })).toBe(text);
});

test('who asks for nobody is refused before anybody hears of it', () => {
  expect((['never', 'ask', undefined] as const).map(withoutAsking)).toEqual(['rejected', undefined, undefined]);
});
