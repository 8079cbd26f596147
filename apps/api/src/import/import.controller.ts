import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Describe } from '../platform/http/describe.ts';
import { QueryString } from '../platform/http/request-parts.ts';
import { SessionState } from '../platform/schemas/session-state.ts';
import { ImportPlace } from './import-place.ts';
import { ImportQuery } from './import-requests.ts';
import { ImportService } from './import.service.ts';
import type { Place } from './one-at-a-time.ts';

/** Sessions out of exported logs. */
@Controller('v1/sessions/import')
export class ImportController {
  constructor(private readonly imports: ImportService) {}

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Make a session of an exported one',
    description:
      'The body is what an export gave (`application/zip`), or its `events.jsonl` alone (`application/x-ndjson`). It is held to every rule of a stored log; what breaks one is refused by entry and line. The session waits for its next prompt; a turn that was open ends as interrupted. Pictures that the log shows come from its `attachments/`, where you do not have them already. At most 64 MiB, packed, and unpacked the log and the pictures each; a process reads one import at a time, and one of each tenant waits for it. A body that has not come within 20 seconds may be sent away for another (`IMPORT_BUSY`).',
    answers: { 201: { description: 'the new session', schema: SessionState } },
    refusals: [
      'IMPORT_BUSY',
      'IMPORT_REFUSED',
      'INVALID_REQUEST',
      'SESSION_EXISTS',
      'WORKSPACE_NOT_ALLOWED',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  import(
    @CallerTenant() tenant: TenantId,
    @Body() body: unknown,
    @QueryString(ImportQuery) query: ImportQuery,
    @ImportPlace() place: Place,
  ): Promise<SessionState> {
    if (!Buffer.isBuffer(body) || body.length < 2)
      throw new ApiError({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'send an export as content-type application/zip, or its events.jsonl as application/x-ndjson',
      });
    return place.run(() => this.imports.import(tenant, body, query));
  }
}
