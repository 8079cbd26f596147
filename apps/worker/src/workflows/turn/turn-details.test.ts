import { expect, test } from 'vitest';
import { endOfTurn, turnDetails } from './turn-details.ts';

test('a turn is shown with its state and what its steps did', () => {
  const steps = [
    { step: 1, did: 'glob: **/*.ts · read: README.md' },
    { step: 2, did: '' },
  ];
  expect(turnDetails({ turn: 3, state: 'step 3 runs', steps })).toBe(
    '**Turn 3** · step 3 runs\n\n- step 1: `glob: **/*.ts · read: README.md`\n- step 2: said nothing',
  );
});

test('of a long turn only the latest steps are shown, and it says so', () => {
  const steps = Array.from({ length: 40 }, (_, index) => ({ step: index + 1, did: `x${index + 1}` }));
  const lines = turnDetails({ turn: 1, state: 'completed', steps }).split('\n');
  expect([lines.length, lines[2], lines[3], lines.at(-1)]).toEqual([
    33,
    '- steps before 11 are not listed here',
    '- step 11: `x11`',
    '- step 40: `x40`',
  ]);
});

test.each([
  [{ kind: 'completed' } as const, 'completed'],
  [{ kind: 'rejected', reason: 'no' } as const, 'rejected: `no`'],
  [{ kind: 'error', step: 2, message: 'it broke', code: 'X' } as const, 'failed in step 2: `X: it broke`'],
])('%j reads as %s', (reason, words) => expect(endOfTurn(reason)).toBe(words));
