import { Controller, Get, Put, Res } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { accepted } from '../platform/requests/accepted.ts';
import { IdempotencyKey } from '../platform/requests/idempotency-key.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { RequestReceipt } from '../platform/schemas/receipt.ts';
import { PermissionsBody, PermissionsReport } from './permission-requests.ts';
import { PermissionsService } from './permissions.service.ts';

/** What a session's tools may do. */
@Controller('v1/sessions/:id/permissions')
export class PermissionsController {
  constructor(private readonly permissions: PermissionsService) {}

  @Get()
  @Describe({
    summary: 'What the tools of a session may do',
    answers: { 200: { description: 'preset, sandbox mode and approval policy', schema: PermissionsReport } },
    refusals: ['INVALID_REQUEST', 'SESSION_NOT_FOUND'],
  })
  read(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath): Promise<PermissionsReport> {
    return this.permissions.read({ tenant, session: id });
  }

  @Put()
  @Describe(
    accepted(
      'Change it, also while a turn runs',
      'Holds from the next tool call on and is told to the model before its next request. A question that waits already is still decided by its answer. The sandbox mode stays while terminals are open.',
      'TERMINALS_OPEN',
    ),
  )
  change(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(PermissionsBody) body: PermissionsBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.permissions.change({ key: { tenant, session: id }, idempotencyKey, body });
  }
}
