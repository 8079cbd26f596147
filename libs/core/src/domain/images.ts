import { z } from 'zod';
import { contentBlocks } from './content-blocks.ts';
import type { ContentBlock, ImageBlock } from './content.ts';
import { AttachmentId } from './ids.ts';
import type { Message } from './messages.ts';
import { Ordinal } from './scalars.ts';

/** The encodings of pictures that models take. */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

contentBlocks.register(
  'image',
  z.strictObject({
    type: z.literal('image'),
    attachmentId: AttachmentId,
    mediaType: z.enum(IMAGE_MEDIA_TYPES),
    width: Ordinal,
    height: Ordinal,
    bytes: Ordinal,
  }),
);

/** The text that stands for a picture where only text can: summaries, and models that see none. */
export const imagePlaceholder = ({ mediaType, width, height }: ImageBlock): string =>
  `[image: ${mediaType}, ${width}x${height} px, not shown here]`;

const PIXELS_A_TOKEN = 750;

/** What a picture costs in a model's window, about: providers count pixels, never bytes. */
export const imageTokens = ({ width, height }: ImageBlock): number => Math.ceil((width * height) / PIXELS_A_TOKEN);

/** Every picture in these messages once, also those inside tool results. */
export function imagesOf(messages: Iterable<Pick<Message, 'content'>>): ImageBlock[] {
  const images = new Map<string, ImageBlock>();
  const visit = (content: readonly ContentBlock[]): void => {
    for (const block of content) {
      if (block.type === 'image') images.set(block.attachmentId, block);
      if (block.type === 'tool-result') visit(block.content);
    }
  };
  for (const { content } of messages) visit(content);
  return [...images.values()];
}
