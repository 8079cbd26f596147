import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { SessionState } from '../platform/schemas/session-state.ts';
import { Cancelled, Children, ForkBody, Tree } from './lineage-shapes.ts';
import { LineageService } from './lineage.service.ts';

/** Where a session comes from and what belongs to it. */
@Controller('v1/sessions/:id')
export class LineageController {
  constructor(private readonly lineage: LineageService) {}

  @Get('tree')
  @Describe({
    summary: 'A session and everything below it: agents that work for it, forks, and theirs',
    answers: { 200: { description: 'each before what is below it', schema: Tree } },
    refusals: ['SESSION_NOT_FOUND'],
  })
  tree(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath) {
    return this.lineage.tree({ tenant, session: id });
  }

  @Get('children')
  @Describe({
    summary: 'The sessions right below a session, oldest first',
    answers: { 200: { description: 'all of them, closed ones too', schema: Children } },
    refusals: ['SESSION_NOT_FOUND'],
  })
  children(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath) {
    return this.lineage.children({ tenant, session: id });
  }

  @Post('tree/cancel')
  @HttpCode(202)
  @Describe({
    summary: 'Stop the running turns of a session and of everything below it, and drop what waits',
    answers: { 202: { description: 'who was told', schema: Cancelled } },
    refusals: ['SESSION_NOT_FOUND', 'SESSION_CLOSED', 'SESSION_BROKEN', 'TEMPORAL_UNAVAILABLE'],
  })
  cancelTree(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath) {
    return this.lineage.cancelTree({ tenant, session: id });
  }

  @Post('fork')
  @HttpCode(201)
  @Describe({
    summary: 'Begin a session with the finished turns of another',
    answers: { 201: { description: 'the new session', schema: SessionState } },
    refusals: [
      'SESSION_NOT_FOUND',
      'SESSION_EXISTS',
      'NO_BOUNDARY',
      'OPEN_TURN',
      'INVALID_REQUEST',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  fork(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(ForkBody) body: ForkBody,
  ) {
    return this.lineage.fork({ tenant, session: id }, body);
  }
}
