import { Controller, Delete, Get, Patch, Post, Res } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { ClientGone } from '../platform/http/client-gone.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { PromptPath, RequestPath, SessionPath } from '../platform/schemas/paths.ts';
import { CommandReport } from '../platform/schemas/command-report.ts';
import { PromptReceipt, RequestReceipt } from '../platform/schemas/receipt.ts';
import { EditPromptBody, SubmitPromptBody, WaitQuery } from './prompt-requests.ts';
import { PromptsService } from './prompts.service.ts';
import { RequestOutcome, RequestsService } from './requests.service.ts';

/** Messages to sessions, the queue they wait in, and what became of them. */
@Controller('v1/sessions/:id')
export class PromptsController {
  constructor(
    private readonly prompts: PromptsService,
    private readonly requests: RequestsService,
  ) {}

  @Post('prompts')
  @Describe({
    summary: 'Send a message, or steer the running turn; or run a command',
    description:
      'One text that begins with a slash and a name is a command for the session, not a message: see …/commands; ' +
      'unless no command but a skill has the name, or the session had no turn yet, which is when its skills are looked for. ' +
      'The message is kept before the session is told of it. When Temporal cannot be reached the answer is 503: with an ' +
      'Idempotency-Key the message stays and the same request may be sent again; without one it is withdrawn.',
    headers: [idempotencyHeader],
    answers: {
      202: { description: 'accepted', schema: PromptReceipt },
      200: {
        description: 'with ?wait: the turn has ended, or the prompt was dropped; or what a command came to',
        schema: PromptReceipt.or(CommandReport),
      },
    },
    refusals: [
      'INVALID_REQUEST',
      'INVALID_JSON',
      'INVALID_CHARACTERS',
      'EMPTY_CONTENT',
      'UNKNOWN_COMMAND',
      'COMMAND_ERROR',
      'SESSION_NOT_FOUND',
      'AGENT_BUSY',
      'SESSION_CLOSED',
      'SESSION_BROKEN',
      'TURN_MISMATCH',
      'IDEMPOTENCY_KEY_REUSED',
      'QUEUE_FULL',
      'BODY_TOO_LARGE',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  async submit(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(SubmitPromptBody) body: SubmitPromptBody,
    @QueryString(WaitQuery) { wait = 0 }: WaitQuery,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @ClientGone() signal: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PromptReceipt | CommandReport> {
    const key = { tenant, session: id };
    const receipt = await this.prompts.submit({ key, body, idempotencyKey, waitMs: wait * 1_000, signal });
    const over = 'commandId' in receipt ? receipt.kind : receipt.state === 'ended' || receipt.state === 'discarded';
    void reply.status(over ? 200 : 202);
    return receipt;
  }

  @Patch('queue/:promptId')
  @Describe({
    summary: 'Replace the content of a prompt that still waits',
    headers: [idempotencyHeader],
    answers: { 202: { description: 'accepted', schema: RequestReceipt } },
    refusals: [
      'INVALID_REQUEST',
      'EMPTY_CONTENT',
      'SESSION_NOT_FOUND',
      'AGENT_BUSY',
      'PROMPT_NOT_FOUND',
      'PROMPT_NOT_QUEUED',
      'SESSION_CLOSED',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  edit(
    @CallerTenant() tenant: TenantId,
    @PathParameters(PromptPath) { id, promptId }: PromptPath,
    @JsonBody(EditPromptBody) { content }: EditPromptBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.prompts.edit({ key: { tenant, session: id }, promptId, content, idempotencyKey });
  }

  @Delete('queue/:promptId')
  @Describe({
    summary: 'Drop a prompt that still waits',
    headers: [idempotencyHeader],
    answers: { 202: { description: 'accepted', schema: RequestReceipt } },
    refusals: [
      'SESSION_NOT_FOUND',
      'AGENT_BUSY',
      'PROMPT_NOT_FOUND',
      'PROMPT_NOT_QUEUED',
      'SESSION_CLOSED',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  drop(
    @CallerTenant() tenant: TenantId,
    @PathParameters(PromptPath) { id, promptId }: PromptPath,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.prompts.edit({ key: { tenant, session: id }, promptId, idempotencyKey });
  }

  @Get('requests/:requestId')
  @Describe({
    summary: 'What became of a request',
    answers: { 200: { description: 'its outcome so far', schema: RequestOutcome } },
    refusals: ['SESSION_NOT_FOUND', 'REQUEST_NOT_FOUND', 'INVALID_REQUEST'],
  })
  request(
    @CallerTenant() tenant: TenantId,
    @PathParameters(RequestPath) { id, requestId }: RequestPath,
  ): Promise<RequestOutcome> {
    return this.requests.outcome({ tenant, session: id }, requestId);
  }
}
