import { z } from 'zod';

/** One text of a message a client sends. */
const TextBlock = z.strictObject({ type: z.literal('text'), text: z.string() }).meta({ id: 'TextBlock' });

const blank = (blocks: { text: string }[]): boolean => blocks.every(({ text }) => text.trim() === '');

/** What a client may say: a text, or text blocks; at least one of them says something. */
export const MessageContent = z
  .union([z.string().transform((text) => [{ type: 'text' as const, text }]), z.array(TextBlock).max(1_000)], {
    error: 'must be a string or a list of {"type":"text","text":"…"} blocks',
  })
  .refine((blocks) => !blank(blocks), {
    error: 'says nothing: at least one text must hold more than white space',
    params: { code: 'EMPTY_CONTENT' },
  });
export type MessageContent = z.output<typeof MessageContent>;

const PREVIEW_CHARACTERS = 80;

/** The first words of a message, on one line, for people who look at lists. */
export function previewOf(content: MessageContent): string {
  const line = content
    .map(({ text }) => text.slice(0, 4 * PREVIEW_CHARACTERS))
    .join(' ')
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= PREVIEW_CHARACTERS ? line : `${characters.slice(0, PREVIEW_CHARACTERS - 1).join('')}…`;
}
