import { expect, test } from 'vitest';
import { terminalState, terminalText } from './terminal-text.ts';

const about = '\n[lines: 1-9 of 9]';

test.each([
  ['what fits', { content: 'ab', about, maxBytes: 64 }, `ab${about}`],
  ['what was cut before', { content: 'ab', about, maxBytes: 64, truncated: true }, `ab${about}\n[output truncated]`],
  [
    'the end of too much',
    { content: `${'x'.repeat(100)}end`, about, maxBytes: 64 },
    `${'x'.repeat(24)}end${about}\n[output truncated]`,
  ],
  [
    'never half a character',
    { content: '🙂'.repeat(100), about, maxBytes: 64 },
    `${'🙂'.repeat(6)}${about}\n[output truncated]`,
  ],
  [
    'what is said about it, whatever the limit',
    { content: 'x'.repeat(100), about, maxBytes: 1 },
    `${about}\n[output truncated]`,
  ],
])('%s', (_name, input, text) => {
  expect(terminalText(input)).toBe(text);
});

test('the state of a terminal', () => {
  expect(terminalState(undefined)).toBe('running');
  expect(terminalState({ code: 3, signal: null })).toBe('exited code=3 signal=null');
  expect(terminalState({ code: null, signal: null })).toBe('exited code=null signal=null');
});
