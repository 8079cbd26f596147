import { imagePlaceholder, type GenerateOptions, type ImageBlock } from '../../domain/index.ts';
import type { OpenAiChatConfig } from './config.ts';
import { inputOf } from './dialect.ts';
import type { WirePart } from './wire-message.ts';

/** Writes a picture for a model: its bytes where it takes pictures, else a text that says there was one. */
export type WritePicture = (block: ImageBlock) => WirePart;

/** How a request shows pictures. One whose bytes are gone is told as such: a history must stay sendable. */
export function pictureWriter(config: OpenAiChatConfig, options: GenerateOptions): WritePicture {
  const seen = inputOf(config, options.model).includes('image');
  return (block) => {
    const bytes = seen ? options.attachments?.get(block.attachmentId) : undefined;
    if (!bytes) return { type: 'text', text: imagePlaceholder(block) };
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    return { type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${data}` } };
  };
}
