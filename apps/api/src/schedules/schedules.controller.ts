import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe, type RouteDescription } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import {
  Backfill,
  ChangeSchedule,
  CreateSchedule,
  Note,
  ScheduleList,
  SchedulePath,
  ScheduleView,
  Trigger,
} from './schedule-requests.ts';
import { SchedulesService } from './schedules.service.ts';

const answering = (summary: string, description?: string): RouteDescription => ({
  summary,
  ...(description !== undefined && { description }),
  answers: { 200: { description: 'the schedule as it stands now', schema: ScheduleView } },
  refusals: ['INVALID_REQUEST', 'SCHEDULE_NOT_FOUND', 'TEMPORAL_UNAVAILABLE'],
});

/** Prompts that are said at times, to one session or to a new one each time. */
@Controller('v1/schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Post()
  @Describe({
    summary: 'Make a schedule',
    description:
      'A native Schedule of Temporal: cron, calendars and intervals, read in a time zone, with jitter. Repeating it with the same id is refused.',
    answers: { 201: { description: 'made', schema: ScheduleView } },
    refusals: [
      'INVALID_REQUEST',
      'SCHEDULE_EXISTS',
      'SESSION_NOT_FOUND',
      'AGENT_BUSY',
      'SESSION_CLOSED',
      'SESSION_BROKEN',
      'WORKSPACE_NOT_ALLOWED',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  create(@CallerTenant() tenant: TenantId, @JsonBody(CreateSchedule) body: CreateSchedule) {
    return this.schedules.create(tenant, body);
  }

  @Get()
  @Describe({
    summary: 'All schedules; one made a moment ago may be missing yet',
    answers: { 200: { description: 'in no order', schema: ScheduleList } },
    refusals: ['TEMPORAL_UNAVAILABLE'],
  })
  list(@CallerTenant() tenant: TenantId) {
    return this.schedules.list(tenant);
  }

  @Get(':schedule')
  @Describe(answering('One schedule: what it is, when it fired and when it will'))
  find(@CallerTenant() tenant: TenantId, @PathParameters(SchedulePath) { schedule }: SchedulePath) {
    return this.schedules.find({ tenant, schedule });
  }

  @Patch(':schedule')
  @Describe({
    ...answering('Change what a schedule is; firings that began go on as they were'),
    refusals: [
      'INVALID_REQUEST',
      'SCHEDULE_NOT_FOUND',
      'SESSION_NOT_FOUND',
      'AGENT_BUSY',
      'SESSION_CLOSED',
      'SESSION_BROKEN',
      'WORKSPACE_NOT_ALLOWED',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  change(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SchedulePath) { schedule }: SchedulePath,
    @JsonBody(ChangeSchedule) { definition }: ChangeSchedule,
  ) {
    return this.schedules.change({ tenant, schedule }, definition);
  }

  @Delete(':schedule')
  @HttpCode(204)
  @Describe({
    summary: 'Delete a schedule; firings that began go on',
    answers: { 204: { description: 'deleted' } },
    refusals: ['SCHEDULE_NOT_FOUND', 'TEMPORAL_UNAVAILABLE'],
  })
  delete(@CallerTenant() tenant: TenantId, @PathParameters(SchedulePath) { schedule }: SchedulePath) {
    return this.schedules.delete({ tenant, schedule });
  }

  @Post(':schedule/pause')
  @HttpCode(200)
  @Describe(answering('Let it fire only when told to'))
  pause(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SchedulePath) { schedule }: SchedulePath,
    @JsonBody(Note) { note }: Note,
  ) {
    return this.schedules.pause({ tenant, schedule }, note);
  }

  @Post(':schedule/unpause')
  @HttpCode(200)
  @Describe(answering('Let it fire at its times again'))
  unpause(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SchedulePath) { schedule }: SchedulePath,
    @JsonBody(Note) { note }: Note,
  ) {
    return this.schedules.unpause({ tenant, schedule }, note);
  }

  @Post(':schedule/trigger')
  @HttpCode(200)
  @Describe(answering('Fire now, also while it is paused'))
  trigger(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SchedulePath) { schedule }: SchedulePath,
    @JsonBody(Trigger) body: Trigger,
  ) {
    return this.schedules.trigger({ tenant, schedule }, body);
  }

  @Post(':schedule/backfill')
  @HttpCode(200)
  @Describe(answering('Fire for each of its times in a time that is past'))
  backfill(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SchedulePath) { schedule }: SchedulePath,
    @JsonBody(Backfill) body: Backfill,
  ) {
    return this.schedules.backfill({ tenant, schedule }, body);
  }
}
