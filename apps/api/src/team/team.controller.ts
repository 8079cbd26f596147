import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { TeamView } from './team-shapes.ts';
import { TeamService } from './team.service.ts';

/** The team a session leads or belongs to. */
@Controller('v1/sessions/:id/team')
export class TeamController {
  constructor(private readonly team: TeamService) {}

  @Get()
  @Describe({
    summary: 'The team a session leads or belongs to: members, tasks, and how much mail is unread',
    answers: { 200: { description: 'as the log of the lead tells it', schema: TeamView } },
    refusals: ['SESSION_NOT_FOUND'],
  })
  read(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath) {
    return this.team.read({ tenant, session: id });
  }
}
