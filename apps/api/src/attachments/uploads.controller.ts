import { Body, Controller, Headers, Post } from '@nestjs/common';
import { AttachmentId, IMAGE_LIMITS, IMAGE_MEDIA_TYPES, type ImageBlock, type TenantId } from '@everturn/core/domain';
import { UPLOAD_GRACE_DAYS } from '@everturn/core/postgres';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Describe } from '../platform/http/describe.ts';
import { QueryString } from '../platform/http/request-parts.ts';
import { PictureDesk } from '../platform/requests/picture-desk.ts';

const NoQuery = z.strictObject({});
const Stored = z
  .strictObject({
    type: z.literal('image'),
    attachmentId: AttachmentId,
    mediaType: z.enum(IMAGE_MEDIA_TYPES),
    width: z.int(),
    height: z.int(),
    bytes: z.int(),
  })
  .meta({ id: 'ImageBlock' });

/** Takes pictures that messages may refer to, so that they need not travel inside JSON. */
@Controller('v1/attachments')
export class UploadsController {
  constructor(private readonly pictures: PictureDesk) {}

  @Post()
  @Describe({
    summary: 'Store a picture for messages of this tenant',
    description:
      'The answer is a block for the `content` of a message. The same picture is stored once. It is kept for good once a ' +
      `message refers to it, else for ${UPLOAD_GRACE_DAYS} days; one larger than ${IMAGE_LIMITS.maxShownSide} px a side or ${IMAGE_LIMITS.maxShownBytes} bytes is stored smaller.`,
    upload: { mediaTypes: IMAGE_MEDIA_TYPES, description: `at most ${IMAGE_LIMITS.maxBytes} bytes` },
    answers: { 201: { description: 'the block', schema: Stored } },
    refusals: ['INVALID_REQUEST', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'],
  })
  store(
    @CallerTenant() tenant: TenantId,
    @QueryString(NoQuery) _query: unknown,
    @Body() body: unknown,
    @Headers('content-type') type: string | undefined,
  ): Promise<ImageBlock> {
    const mediaType = IMAGE_MEDIA_TYPES.find((known) => known === type?.split(';')[0]?.trim().toLowerCase());
    if (mediaType === undefined || !Buffer.isBuffer(body))
      throw new ApiError({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: `send the bytes of one picture as content-type ${IMAGE_MEDIA_TYPES.join(', ')}`,
      });
    return this.pictures.upload(tenant, body, mediaType, 'body');
  }
}
