import { expect, test } from 'vitest';
import { snippetOf } from './session-query.ts';

test('a snippet shows its phrase, takes at most 240 characters and splits none', () => {
  for (const lead of [79, 80, 81, 82]) {
    const text = `${'x'.repeat(lead)}${'😀'.repeat(100)} Needle-Work ${'😀'.repeat(1_000)}`;
    const snippet = snippetOf(text, 'needle work');
    expect(snippet).toContain('Needle-Work');
    expect(Array.from(snippet)).toHaveLength(240);
    expect(snippet.isWellFormed()).toBe(true);
  }
  // Where spaces shrink, the far end of what is looked at is shown, too.
  for (const lead of [0, 1])
    expect(snippetOf(`y${' '.repeat(1_990 + lead)}${'😀'.repeat(9)}`, 'y').isWellFormed()).toBe(true);
  expect(snippetOf('of  the\n last\tword', 'gone')).toBe('of the last word');
});
