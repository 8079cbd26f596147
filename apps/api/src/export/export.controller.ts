import { Controller, Get, Inject, StreamableFile } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { flag } from '../platform/schemas/query-values.ts';
import { ExportService } from './export.service.ts';

const ExportQuery = z.strictObject({
  descendants: flag.default('false').describe('`true`: its agents and forks, and theirs, too'),
});
type ExportQuery = z.output<typeof ExportQuery>;

/** A session to take away. */
@Controller('v1/sessions/:id/export')
export class ExportController {
  constructor(@Inject(ExportService) private readonly exports: ExportService) {}

  @Get()
  @Describe({
    summary: 'The whole log of a session as a ZIP',
    answers: {
      200: {
        description:
          '`session.json` and `events.jsonl`, one event a line; of sessions below it the same in `descendants/<id>/`; in `attachments/` the pictures that these logs show, by their ids',
        alternative: { mediaType: 'application/zip', description: 'the archive' },
      },
    },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  async download(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(ExportQuery) { descendants }: ExportQuery,
  ): Promise<StreamableFile> {
    const zip = await this.exports.zip({ tenant, session: id }, { descendants: descendants === 'true' });
    return new StreamableFile(zip, { type: 'application/zip', disposition: 'attachment; filename="session.zip"' });
  }
}
