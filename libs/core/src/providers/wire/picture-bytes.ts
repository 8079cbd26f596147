import type { GenerateOptions, ImageBlock } from '../../domain/index.ts';
import type { EndpointConfig } from './endpoint-config.ts';
import { inputOf } from './models.ts';

/** A picture's bytes in base64 where the model takes pictures and they are there: else it is told of in words. */
export type PictureBytes = (block: ImageBlock) => string | undefined;

/** How a request finds the pictures it sends. One whose bytes are gone must not end a session. */
export function pictureBytes(config: EndpointConfig, options: GenerateOptions): PictureBytes {
  const seen = inputOf(config, options.model).includes('image');
  return ({ attachmentId }) => {
    const bytes = seen ? options.attachments?.get(attachmentId) : undefined;
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  };
}
