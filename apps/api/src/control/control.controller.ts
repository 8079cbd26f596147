import { Controller, Delete, Inject, Post, Put, Res } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import type { TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { accepted } from '../platform/requests/accepted.ts';
import { IdempotencyKey } from '../platform/requests/idempotency-key.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { RequestReceipt } from '../platform/schemas/receipt.ts';
import { SessionState, sessionState } from '../platform/schemas/session-state.ts';
import { CONFIG } from '../platform/tokens.ts';
import { InjectBody, ReferencesBody, NoBody, TitleBody } from './control-requests.ts';
import { ControlService } from './control.service.ts';

/** Verbs on a session that ask for no model run. */
@Controller('v1/sessions/:id')
export class ControlController {
  constructor(
    private readonly control: ControlService,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post('inject')
  @Describe(accepted('Add context without asking for a model run'))
  inject(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(InjectBody) body: InjectBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.control.inject({ key: { tenant, session: id }, idempotencyKey, body });
  }

  @Post('references')
  @Describe({
    ...accepted('Quote other sessions to it, without asking for a model run'),
    description:
      'Their messages come as one context marked as data, at most 64 KiB; what does not fit is left out from the beginning.',
    refusals: [
      'INVALID_REQUEST',
      'SESSION_NOT_FOUND',
      'AGENT_BUSY',
      'SESSION_CLOSED',
      'SESSION_BROKEN',
      'QUEUE_FULL',
      'IDEMPOTENCY_KEY_REUSED',
      'TEMPORAL_UNAVAILABLE',
      'SESSION_REFERENCE_BUDGET_EXCEEDED',
      'SESSION_REFERENCE_INVALID_REFERENCE',
      'SESSION_REFERENCE_SELF_REFERENCE',
      'SESSION_REFERENCE_TOO_MANY',
    ],
  })
  references(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(ReferencesBody) { sessions }: ReferencesBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.control.quote({ key: { tenant, session: id }, idempotencyKey, sessions });
  }

  @Post('cancel')
  @Describe(accepted('Stop the running turn and drop what waits'))
  cancel(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(NoBody) _body: unknown,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.control.stop({ key: { tenant, session: id }, idempotencyKey, queue: 'clear' });
  }

  @Post('interrupt')
  @Describe(accepted('Stop the running turn; what waits stays until the next prompt'))
  interrupt(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(NoBody) _body: unknown,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.control.stop({ key: { tenant, session: id }, idempotencyKey, queue: 'park' });
  }

  @Post('compact')
  @Describe(
    accepted(
      'Shorten the history now: a summary takes the place of what was said',
      'Only between turns. What came of it stands in the log: `compact/end`, with an error if it failed.',
      'SESSION_BUSY',
    ),
  )
  compact(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(NoBody) _body: unknown,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.control.compact({ key: { tenant, session: id }, idempotencyKey });
  }

  @Put('title')
  @Describe(accepted('Give the session a title'))
  rename(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(TitleBody) { title }: TitleBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.control.rename({ key: { tenant, session: id }, idempotencyKey, title });
  }

  @Post('resume')
  @Describe({
    summary: 'Reopen a closed or broken session',
    answers: {
      200: { description: 'the session; one that was open is left as it is', schema: SessionState },
      202: { description: 'the session as it was; it reopens as soon as a worker is there', schema: SessionState },
    },
    refusals: ['INVALID_REQUEST', 'SESSION_NOT_FOUND', 'AGENT_BUSY', 'TEMPORAL_UNAVAILABLE'],
  })
  async resume(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(NoBody) _body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionState> {
    const row = await this.control.resume({ tenant, session: id });
    void reply.status(row.status === 'closed' || row.status === 'broken' ? 202 : 200);
    return sessionState({ row, temporal: this.config.temporal });
  }

  @Delete()
  @Describe(
    accepted(
      'Close the session; its log stays readable',
      'Texts of its messages also stay in the histories of its workflows until their retention ends.',
    ),
  )
  close(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    return this.control.close({ key: { tenant, session: id }, idempotencyKey });
  }
}
