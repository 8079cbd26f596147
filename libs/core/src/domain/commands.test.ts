import { expect, test } from 'vitest';
import { COMMANDS, parseCommand } from './commands.ts';

test.each([
  ['/plan', { name: 'plan', input: '' }],
  ['/plan  rename x', { name: 'plan', input: '  rename x' }],
  ['/plan\nx', { name: 'plan', input: '\nx' }],
  [' /plan', undefined],
  ['/plan/x', undefined],
  ['/Plan', undefined],
  ['5/8', undefined],
])('%j', (line, expected) => {
  expect(parseCommand(line)).toEqual(expected);
});

test('every command can be called by its name', () => {
  expect(COMMANDS.map(({ name }) => parseCommand(`/${name}`)?.name)).toEqual(COMMANDS.map(({ name }) => name));
});
