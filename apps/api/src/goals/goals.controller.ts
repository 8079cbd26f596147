import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe, type RouteDescription } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { ClearGoal, GoalBody, GoalReceiptShape, GoalReport } from './goal-requests.ts';
import { GoalsService } from './goals.service.ts';

const changing = (summary: string): RouteDescription => ({
  summary,
  headers: [idempotencyHeader],
  answers: { 202: { description: 'accepted; with the goal once the session has answered', schema: GoalReceiptShape } },
  refusals: [
    'INVALID_REQUEST',
    'SESSION_NOT_FOUND',
    'AGENT_BUSY',
    'SESSION_CLOSED',
    'SESSION_BROKEN',
    'GOAL_REFUSED',
    'IDEMPOTENCY_KEY_REUSED',
    'TEMPORAL_UNAVAILABLE',
  ],
});

/** What a session works towards, round by round. */
@Controller('v1/sessions/:id/goal')
export class GoalsController {
  constructor(private readonly goals: GoalsService) {}

  @Get()
  @Describe({
    summary: 'The goal of a session and how far its rounds are',
    answers: { 200: { description: 'goal is null where there is none', schema: GoalReport } },
    refusals: ['SESSION_NOT_FOUND', 'GOAL_REFUSED'],
  })
  read(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath) {
    return this.goals.read({ tenant, session: id });
  }

  @Put()
  @HttpCode(202)
  @Describe(changing('Create a goal, edit it, pause or resume its rounds, or end it'))
  change(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(GoalBody) body: GoalBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ) {
    return this.goals.change({ tenant, session: id }, idempotencyKey, body);
  }

  @Delete()
  @HttpCode(202)
  @Describe(changing('Clear the goal, so that the session has none'))
  clear(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(ClearGoal) { ref }: ClearGoal,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ) {
    return this.goals.change({ tenant, session: id }, idempotencyKey, { operation: 'clear', ref });
  }
}
