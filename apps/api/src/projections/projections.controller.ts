import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import type { SessionProjections } from '@everturn/core/postgres';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { GoalShape } from '../platform/schemas/goal-shape.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { ProjectionsService } from './projections.service.ts';

const count = z.int().nonnegative();
const Projections = z.strictObject({
  asOfSeq: z.int().describe('the newest event that counts; -1 = the log is empty'),
  todos: z.array(z.looseObject({ content: z.string(), status: z.string() })).nullable(),
  title: z.strictObject({ title: z.string(), source: z.looseObject({ kind: z.string() }) }).nullable(),
  goal: GoalShape.nullable().describe('as it stands, with the rounds it has had'),
  plan: z.looseObject({}).nullable().describe('whether plan mode is on, as last said'),
  stats: z.strictObject({
    turns: count,
    steps: count,
    messages: count,
    toolCalls: count,
    failedCalls: count,
    summaries: count,
  }),
  usage: z
    .looseObject({
      inputTokens: count.optional(),
      outputTokens: count.optional(),
      cacheReadTokens: count.optional(),
      cacheWriteTokens: count.optional(),
      reasoningTokens: count.optional(),
      costUsd: z.number().nonnegative().optional().describe('in US dollars, of the calls whose model has a price'),
      steps: count.optional(),
      turns: count.optional(),
    })
    .describe('what providers counted, calls that failed, summaries and titles included; empty before the first step'),
});

/** What a session's log comes to. */
@Controller('v1/sessions/:id')
export class ProjectionsController {
  constructor(private readonly projections: ProjectionsService) {}

  @Get('projections')
  @Describe({
    summary: 'To-do list, title, goal, plan, counts and tokens and their cost, all as of one event',
    answers: { 200: { description: 'null where the log says nothing', schema: Projections } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  read(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(z.strictObject({})) _query: unknown,
  ): Promise<SessionProjections> {
    return this.projections.read({ tenant, session: id });
  }
}
