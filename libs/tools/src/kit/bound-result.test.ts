import { text, type ContentBlock, type SessionId } from '@everturn/core/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundResult, previewText } from './bound-result.ts';
import type { SpillPort } from './spill-port.ts';
import { characterHead, utf8Head, utf8Length, utf8Tail } from './utf8.ts';

const session = 's' as SessionId;
const saved = { locator: '/spill/x', hint: 'Read it.' };

const bounding = async (content: ContentBlock[], tool = 'bash', maxInlineBytes = 1_000) => {
  const saves: string[] = [];
  const spill: SpillPort = {
    save: async ({ name, text: whole }) => {
      saves.push(`${name}:${whole.length}`);
      return saved;
    },
  };
  const result = { content, isError: false };
  return { result, bounded: await boundResult({ tool, result, session, spill, maxInlineBytes }), saves };
};

describe('boundResult', () => {
  test('60000 bytes at a cap of 50000: both ends, one notice, within the cap', async () => {
    const whole = `HEAD${'x'.repeat(59_992)}TAIL`;
    const { bounded, saves } = await bounding([text(whole)], 'bash', 50_000);
    const shown = bounded.content[0]?.type === 'text' ? bounded.content[0].text : '';
    expect(utf8Length(shown)).toBeLessThanOrEqual(50_000);
    expect(shown).toMatch(
      /^HEADx+TAIL\n\n\(Omitted \d+ bytes\. Full formatted result stored at: \/spill\/x\. Read it\.\)$/,
    );
    expect(saves).toEqual(['bash.txt:60000']);
  });

  test('failed results, too', async () => {
    const spill: SpillPort = { save: async () => saved };
    const result = { content: [text('x'.repeat(2_000))], isError: true, error: { name: 'N', code: 'C' } };
    const bounded = await boundResult({ tool: 'bash', result, session, spill, maxInlineBytes: 1_000 });
    expect(bounded).toEqual({ ...result, content: [text(expect.stringContaining('(Omitted '))] });
  });

  test.each<[string, ContentBlock[], string, number]>([
    ['read pages by itself', [text('x'.repeat(60_000))], 'read', 50_000],
    ['exactly the cap', [text('x'.repeat(1_000))], 'bash', 1_000],
    ['a block that is no text', [text('x'.repeat(2_000)), { type: 'reasoning', text: 'y' }], 'bash', 1_000],
    ['a cap below the notice', [text('x'.repeat(2_000))], 'bash', 20],
  ])('untouched: %s', async (_name, content, tool, cap) => {
    const { result, bounded } = await bounding(content, tool, cap);
    expect(bounded).toBe(result);
  });

  test('a save that fails keeps the whole and warns', async () => {
    const warnings: unknown[] = [];
    const cause = new Error('disk full');
    const result = { content: [text('x'.repeat(2_000))], isError: false };
    const bounded = await boundResult({
      tool: 'bash',
      result,
      session,
      spill: { save: () => Promise.reject(cause) },
      maxInlineBytes: 1_000,
      warn: (...warning) => void warnings.push(warning),
    });
    expect(bounded).toBe(result);
    expect(warnings).toEqual([['the full result of bash could not be saved, so it stays inline', cause]]);
  });
});

const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '€', '🙂', '\0', '\n'), minLength: 200, maxLength: 400 });

test('a preview keeps its cap and splits no character, wherever the cut falls', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 90, max: 200 }), (whole, cap) => {
      fc.pre(utf8Length(whole) > cap); // all but the shortest
      const preview = previewText(whole, saved, cap);
      if (preview === undefined) return;
      const [, omitted] = /\(Omitted (\d+) bytes\./.exec(preview) ?? [];
      const ends = preview.slice(0, preview.lastIndexOf('\n\n(Omitted'));
      expect(utf8Length(preview)).toBeLessThanOrEqual(cap);
      expect(preview.isWellFormed()).toBe(true);
      expect(utf8Length(ends) + Number(omitted)).toBe(utf8Length(whole));
      expect(preview).not.toContain('\uFFFD');
    }),
  );
});

test.each([0, 1, 2, 3])('a cut %d bytes into an emoji leaves it out or keeps it whole', (into) => {
  expect(utf8Head('ab🙂cd', 2 + into)).toBe('ab');
  expect(utf8Tail('ab🙂cd', 2 + into)).toBe('cd');
  expect(utf8Head('ab🙂cd', 6)).toBe('ab🙂');
  expect(utf8Tail('ab🙂cd', 6)).toBe('🙂cd');
  expect(characterHead('ab🙂cd', 3)).toBe('ab');
});
