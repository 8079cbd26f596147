import { Controller, Get, Header, StreamableFile } from '@nestjs/common';
import { AttachmentId, type TenantId } from '@everturn/core/domain';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { AttachmentsService } from './attachments.service.ts';

const AttachmentPath = z.strictObject({
  ...SessionPath.shape,
  attachmentId: AttachmentId.describe('`attachmentId` of an image block'),
});
type AttachmentPath = z.output<typeof AttachmentPath>;
const NoQuery = z.strictObject({});

/** The pictures a session's log refers to. */
@Controller('v1/sessions/:id/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @Get(':attachmentId')
  @Describe({
    summary: 'A picture the log of a session refers to',
    answers: {
      200: {
        description: 'its bytes, in the media type of the image block',
        alternative: { mediaType: 'image/*', description: 'the picture' },
      },
    },
    refusals: ['SESSION_NOT_FOUND', 'ATTACHMENT_NOT_FOUND', 'INVALID_REQUEST'],
  })
  // What a model or a tool chose to store must not run as a page of this origin.
  @Header('x-content-type-options', 'nosniff')
  @Header('content-security-policy', "default-src 'none'; sandbox")
  // The id is the content's hash, so what it names never changes; it is still its tenant's alone.
  @Header('cache-control', 'private, max-age=31536000, immutable')
  async read(
    @CallerTenant() tenant: TenantId,
    @PathParameters(AttachmentPath) { id, attachmentId }: AttachmentPath,
    @QueryString(NoQuery) _query: unknown,
  ): Promise<StreamableFile> {
    const { bytes, mediaType } = await this.attachments.read({ tenant, session: id }, attachmentId);
    return new StreamableFile(bytes, { type: mediaType, length: bytes.length, disposition: 'inline' });
  }
}
