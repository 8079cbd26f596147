import { Controller, Get, Inject, StreamableFile } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { ExportService } from './export.service.ts';

/** A session to take away. */
@Controller('v1/sessions/:id/export')
export class ExportController {
  constructor(@Inject(ExportService) private readonly exports: ExportService) {}

  @Get()
  @Describe({
    summary: 'The whole log of a session as a ZIP',
    answers: {
      200: {
        description: '`session.json` and `events.jsonl`, one event a line',
        alternative: { mediaType: 'application/zip', description: 'the archive' },
      },
    },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  async download(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
  ): Promise<StreamableFile> {
    const zip = await this.exports.zip({ tenant, session: id });
    return new StreamableFile(zip, { type: 'application/zip', disposition: 'attachment; filename="session.zip"' });
  }
}
