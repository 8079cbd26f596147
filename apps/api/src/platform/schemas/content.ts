import { MAX_MESSAGE_IMAGES } from '@everturn/core/domain';
import { z } from 'zod';
import { PictureBlock, pictureFault } from './picture.ts';

/** One text of a message a client sends. */
const TextBlock = z.strictObject({ type: z.literal('text'), text: z.string() }).meta({ id: 'TextBlock' });
type TextBlock = z.output<typeof TextBlock>;
export type MessageBlock = TextBlock | PictureBlock;

const saysNothing = (blocks: readonly MessageBlock[]): boolean =>
  blocks.every((block) => block.type === 'text' && block.text.trim() === '');

/** What a client may say: a text, or blocks of text and pictures; at least one of them says something. */
export const MessageContent = z
  .union(
    [
      z.string().transform((text): MessageBlock[] => [{ type: 'text', text }]),
      z.array(z.union([TextBlock, PictureBlock])).max(1_000),
    ],
    {
      error:
        'must be a string or a list of {"type":"text","text":"…"}, {"type":"image","mediaType":"…","data":"…"} ' +
        'and {"type":"image","attachmentId":"…"} blocks',
    },
  )
  .refine((blocks) => !saysNothing(blocks), {
    error: 'says nothing: it must hold a picture, or more than white space',
    params: { code: 'EMPTY_CONTENT' },
  })
  .superRefine((blocks, context) => {
    const pictures = blocks.filter(({ type }) => type === 'image').length;
    if (pictures > MAX_MESSAGE_IMAGES) {
      const message = `holds ${pictures} pictures; a message takes at most ${MAX_MESSAGE_IMAGES}`;
      context.addIssue({ code: 'custom', message });
      return;
    }
    for (const [index, block] of blocks.entries()) {
      const fault = block.type === 'image' ? pictureFault(block) : undefined;
      if (fault) context.addIssue({ code: 'custom', path: [index, fault[0]], message: fault[1] });
    }
  });
export type MessageContent = z.output<typeof MessageContent>;

const PREVIEW_CHARACTERS = 80;

/** The first words of a message, on one line, for people who look at lists. */
export function previewOf(content: readonly { type: string; text?: string }[]): string {
  const line = content
    .map(({ type, text }) => text?.slice(0, 4 * PREVIEW_CHARACTERS) ?? `[${type}]`)
    .join(' ')
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= PREVIEW_CHARACTERS ? line : `${characters.slice(0, PREVIEW_CHARACTERS - 1).join('')}…`;
}
