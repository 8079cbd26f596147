import { expect, test } from 'vitest';
import { composeSystemPrompt } from './system-prompt.ts';

const compose = (text: string, variables: Record<string, string | undefined> = {}) =>
  composeSystemPrompt({ sections: [{ name: 's', order: 0, text }], variables });

test('sections are ordered, empty ones dropped, joined by an empty line', () => {
  const sections = [
    { name: 'tool:b', order: 100, text: 'B' },
    { name: 'tool:a', order: 100, text: 'A' },
    { name: 'persona', order: 0, text: ' ' },
    { name: 'identity', order: -100, text: 'I am {{model}} of {{provider}} in {{cwd}}.' },
  ];
  expect(composeSystemPrompt({ sections, variables: { model: 'm', provider: 'p', cwd: '/w' } })).toBe(
    'I am m of p in /w.\n\nA\n\nB',
  );
});

test('a value is not scanned again, and a lone opening is literal', () => {
  expect(compose('{{cwd}} {{cwd}}', { cwd: '{{model}}' })).toBe('{{model}} {{model}}');
  expect(compose('a {{ b')).toBe('a {{ b');
  expect(compose('}} {{')).toBe('}} {{');
});

test.each([
  ['{{nope}}', '{{nope}} has no value here'],
  ['{{cwd}}', '{{cwd}} has no value here'],
  ['{{ model }}', '{{ model }} is malformed'],
  ['{{toString}}', '{{toString}} is malformed'],
  ['{{constructor}}', '{{constructor}} has no value here'],
])('%s is refused', (text, why) => {
  expect(() => compose(text, { model: 'm', cwd: undefined })).toThrow(
    expect.objectContaining({ code: 'PLUGIN_INVALID_TEMPLATE', message: expect.stringContaining(why) }),
  );
});
