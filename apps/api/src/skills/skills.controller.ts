import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { SkillsService } from './skills.service.ts';

const Skill = z.strictObject({
  name: z.string(),
  description: z.string(),
  source: z.enum(['project', 'plugin', 'deployment', 'user']),
  byModel: z.boolean().describe('whether the model may load it by itself'),
  byPerson: z.boolean().describe('whether `/name` in a message loads it'),
});
const Skills = z.strictObject({
  skills: z.array(Skill),
  foundAt: z.int().nullable().describe('epoch ms; null before the first turn'),
});
export type Skills = z.output<typeof Skills>;

/** What a session's agent can learn. */
@Controller('v1/sessions/:id')
export class SkillsController {
  constructor(private readonly skills: SkillsService) {}

  @Get('skills')
  @Describe({
    summary: 'The skills the session has',
    description: 'As they were found when its last turn began, or when their list last changed.',
    answers: { 200: { description: 'by name', schema: Skills } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  list(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(z.strictObject({})) _query: unknown,
  ): Promise<Skills> {
    return this.skills.list({ tenant, session: id });
  }
}
