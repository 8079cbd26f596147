import { Controller, Get, Inject, Post, Res } from '@nestjs/common';
import { parseCommand, type TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { CommandDesk } from '../platform/requests/command-desk.ts';
import { CommandRunner } from '../platform/requests/command-runner.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { CommandReport } from '../platform/schemas/command-report.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { CommandBody, CommandList } from './command-requests.ts';

/** Commands for people. */
@Controller('v1/sessions/:id/commands')
export class CommandsController {
  constructor(
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(CommandDesk) private readonly desk: CommandDesk,
    @Inject(CommandRunner) private readonly runner: CommandRunner,
  ) {}

  @Get()
  @Describe({
    summary: 'Commands a person may give',
    answers: { 200: { description: 'by name', schema: CommandList } },
    refusals: ['INVALID_REQUEST', 'SESSION_NOT_FOUND'],
  })
  async list(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
  ): Promise<z.input<typeof CommandList>> {
    const key = { tenant, session: id };
    await this.access.find(key);
    return { commands: await this.desk.list(key) };
  }

  @Post()
  @Describe({
    summary: 'Run a command; the model sees nothing of it',
    description: 'Bad use of a command is its result, of kind `error`. A command that takes long is answered 202.',
    headers: [idempotencyHeader],
    answers: {
      200: { description: 'what it came to', schema: CommandReport },
      202: { description: 'accepted', schema: CommandReport },
    },
    refusals: [
      'INVALID_REQUEST',
      'UNKNOWN_COMMAND',
      'SESSION_NOT_FOUND',
      'AGENT_BUSY',
      'SESSION_CLOSED',
      'SESSION_BROKEN',
      'IDEMPOTENCY_KEY_REUSED',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  async run(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(CommandBody) body: CommandBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CommandReport> {
    const parsed = parseCommand(body.command) ?? { name: '', input: '' }; // the body was checked
    const report = await this.runner.run({ key: { tenant, session: id }, ...parsed, idempotencyKey });
    void reply.status(report.kind ? 200 : 202);
    return report;
  }
}
