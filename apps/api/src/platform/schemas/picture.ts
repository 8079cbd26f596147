import { AttachmentId, IMAGE_LIMITS, IMAGE_MEDIA_TYPES, type ImageMediaType } from '@everturn/core/domain';
import { z } from 'zod';

/** A picture that comes with the request. */
const InlinePicture = z
  .strictObject({
    type: z.literal('image'),
    mediaType: z.string().describe(`one of ${IMAGE_MEDIA_TYPES.join(', ')}; must be what the bytes are`),
    data: z.string().describe('its bytes in base64'),
  })
  .meta({ id: 'InlinePicture' });
export type InlinePicture = z.output<typeof InlinePicture>;

/** A picture that was stored before, as the upload answered it; all but the id is looked up. */
const StoredPicture = z
  .strictObject({
    type: z.literal('image'),
    attachmentId: AttachmentId.describe('`attachmentId` an upload answered, or of an image block of a log'),
    mediaType: z.string().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
    bytes: z.int().optional(),
  })
  .meta({ id: 'StoredPicture' });
export type StoredPicture = z.output<typeof StoredPicture>;

export const PictureBlock = z.union([InlinePicture, StoredPicture]);
export type PictureBlock = z.output<typeof PictureBlock>;

/** What is wrong with a picture that came with a request, as far as its text tells: the member, and why. */
export function pictureFault(block: PictureBlock): [member: string, why: string] | undefined {
  if ('attachmentId' in block) return undefined;
  const { mediaType, data } = block;
  if (!IMAGE_MEDIA_TYPES.includes(mediaType as ImageMediaType))
    return ['mediaType', `must be one of ${IMAGE_MEDIA_TYPES.join(', ')}`];
  if (data === '') return ['data', 'holds no bytes'];
  const bytes = Buffer.from(data, 'base64');
  // Node skips what is no base64, so what it read must read the same again.
  if (bytes.toString('base64') !== data) return ['data', 'is not base64 (RFC 4648 §4, with padding)'];
  if (bytes.length > IMAGE_LIMITS.maxBytes)
    return ['data', `has ${bytes.length} bytes, the limit is ${IMAGE_LIMITS.maxBytes}`];
  return undefined;
}
