import { z } from 'zod';
import { contentBlocks } from './content-blocks.ts';
import type { ContentBlock, ImageBlock } from './content.ts';
import { AttachmentId } from './ids.ts';
import type { Message } from './messages.ts';
import { Ordinal } from './scalars.ts';

/** The encodings of pictures that models take. */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

/** What pictures may be stored, and how large models are shown them. */
export interface ImageLimits {
  /** Of the file. */
  maxBytes: number;
  maxPixels: number;
  maxSide: number;
  maxShownSide: number;
  maxShownBytes: number;
}

/** What we ship. */
export const IMAGE_LIMITS: ImageLimits = {
  maxBytes: 20 * 1024 * 1024,
  maxPixels: 64_000_000,
  maxSide: 8_192,
  maxShownSide: 2_048,
  maxShownBytes: 3_750_000,
};

/** Pictures of one message. */
export const MAX_MESSAGE_IMAGES = 20;

/** A picture that may be stored: decoded once, within the limits, and not larger than a model can use. */
export interface AdmittedImage {
  readonly bytes: Uint8Array;
  readonly mediaType: ImageMediaType;
  readonly width: number;
  readonly height: number;
  /** What it measured before it was made smaller. */
  readonly original?: { readonly width: number; readonly height: number };
}

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

/** Every picture in these messages once, where it was shown last, also those inside tool results. */
export function imagesOf(messages: Iterable<Pick<Message, 'content'>>): ImageBlock[] {
  const images = new Map<string, ImageBlock>();
  const visit = (content: readonly ContentBlock[]): void => {
    for (const block of content) {
      if (block.type === 'image') {
        images.delete(block.attachmentId); // last shown = last in the map
        images.set(block.attachmentId, block);
      }
      if (block.type === 'tool-result') visit(block.content);
    }
  };
  for (const { content } of messages) visit(content);
  return [...images.values()];
}

/** What a request holds at most: providers take bodies of about 30 MB, and base64 makes of 20 MB so many. */
export const REQUEST_IMAGES = { count: 100, bytes: 20 * 1024 * 1024 };

/** The pictures a request sends: the newest that fit. The others are told of in words, as where a model sees none. */
export function imagesToSend(
  messages: Iterable<Pick<Message, 'content'>>,
  limits: { count: number; bytes: number } = REQUEST_IMAGES,
): ImageBlock[] {
  const sent: ImageBlock[] = [];
  let bytes = 0;
  for (const image of imagesOf(messages).toReversed()) {
    bytes += image.bytes;
    if (bytes > limits.bytes || sent.length >= limits.count) break;
    sent.push(image);
  }
  return sent;
}
