import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Public } from '../auth/public.ts';
import { Describe } from '../http/describe.ts';
import { HealthService } from './health.service.ts';

/** Whether one thing this process needs answers. */
const Check = z.strictObject({ status: z.enum(['up', 'down']), reason: z.string().optional() });
const Readiness = z.strictObject({ status: z.enum(['ready', 'not-ready']), postgres: Check, temporal: Check });

/** Answers whoever decides to restart this process or to send it traffic. */
@Controller('v1/health')
export class HealthController {
  constructor(@Inject(HealthService) private readonly health: HealthService) {}

  @Get('live')
  @Public()
  @Describe({
    summary: 'Whether the process runs',
    answers: { 200: { description: 'it does', schema: z.strictObject({ status: z.literal('live') }) } },
    access: 'public',
  })
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @Public()
  @Describe({
    summary: 'Whether Postgres and Temporal answer',
    answers: {
      200: { description: 'both do', schema: Readiness },
      503: { description: 'one does not, or the process is shutting down', schema: Readiness },
    },
    access: 'public',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<z.infer<typeof Readiness>> {
    const readiness = await this.health.check();
    void reply.status(readiness.status === 'ready' ? 200 : 503);
    return readiness;
  }
}
