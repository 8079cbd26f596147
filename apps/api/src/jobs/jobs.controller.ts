import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { JobList, JobPath, JobView, OutputPages, OutputQuery } from './job-shapes.ts';
import { JobsService } from './jobs.service.ts';

/** What a session runs in the background. */
@Controller('v1/sessions/:id/jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Get()
  @Describe({
    summary: 'Background jobs of a session, in order of their start',
    answers: { 200: { description: 'all of them, ended ones too', schema: JobList } },
    refusals: ['SESSION_NOT_FOUND'],
  })
  list(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath) {
    return this.jobs.list({ tenant, session: id });
  }

  @Get(':job')
  @Describe({
    summary: 'One background job',
    answers: { 200: { description: 'how it stands', schema: JobView } },
    refusals: ['SESSION_NOT_FOUND', 'JOB_NOT_FOUND', 'INVALID_REQUEST'],
  })
  find(@CallerTenant() tenant: TenantId, @PathParameters(JobPath) { id, job }: JobPath) {
    return this.jobs.find({ tenant, session: id, job });
  }

  @Get(':job/output')
  @Describe({
    summary: 'What a background job wrote; reading it here takes nothing from the model',
    answers: { 200: { description: 'pages, oldest first', schema: OutputPages } },
    refusals: ['SESSION_NOT_FOUND', 'JOB_NOT_FOUND', 'INVALID_REQUEST'],
  })
  output(
    @CallerTenant() tenant: TenantId,
    @PathParameters(JobPath) { id, job }: JobPath,
    @QueryString(OutputQuery) { after = 0, limit = 50 }: OutputQuery,
  ) {
    return this.jobs.output({ tenant, session: id, job }, { after, limit });
  }

  @Post(':job/kill')
  @HttpCode(202)
  @Describe({
    summary: 'End a background job and all it started; one that has ended stays as it is',
    answers: { 202: { description: 'how it stands now', schema: JobView } },
    refusals: ['SESSION_NOT_FOUND', 'JOB_NOT_FOUND', 'INVALID_REQUEST', 'TEMPORAL_UNAVAILABLE'],
  })
  kill(@CallerTenant() tenant: TenantId, @PathParameters(JobPath) { id, job }: JobPath) {
    return this.jobs.kill({ tenant, session: id, job });
  }
}
