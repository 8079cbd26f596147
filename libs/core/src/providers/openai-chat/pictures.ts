import { imagePlaceholder, type GenerateOptions, type ImageBlock } from '../../domain/index.ts';
import { pictureBytes } from '../wire/picture-bytes.ts';
import type { OpenAiChatConfig } from './config.ts';
import type { WirePart } from './wire-message.ts';

/** Writes a picture for a model: its bytes where it takes pictures, else a text that says there was one. */
export type WritePicture = (block: ImageBlock) => WirePart;

/** How a request shows pictures. */
export function pictureWriter(config: OpenAiChatConfig, options: GenerateOptions): WritePicture {
  const bytesOf = pictureBytes(config, options);
  return (block) => {
    const data = bytesOf(block);
    if (data === undefined) return { type: 'text', text: imagePlaceholder(block) };
    return { type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${data}` } };
  };
}
