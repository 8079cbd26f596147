import { Controller, HttpCode, Post } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { PromptReceipt, RequestReceipt } from '../platform/schemas/receipt.ts';
import { ChildPath, ChildPromptBody, NoBody } from './child-requests.ts';
import { ChildrenService } from './children.service.ts';

/** What a person may do about an agent that stays with another, by the address of both. */
@Controller('v1/sessions/:id/children/:child')
export class ChildrenController {
  constructor(private readonly children: ChildrenService) {}

  @Post('prompts')
  @HttpCode(202)
  @Describe({
    summary: 'Write to an agent that stays with the session; what it comes to is told to the session, too',
    headers: [idempotencyHeader],
    answers: { 202: { description: 'accepted', schema: PromptReceipt } },
    refusals: [
      'INVALID_REQUEST',
      'INVALID_JSON',
      'INVALID_CHARACTERS',
      'EMPTY_CONTENT',
      'SESSION_NOT_FOUND',
      'SESSION_BROKEN',
      'SUBAGENT_NOT_FOUND',
      'SUBAGENT_UNAUTHORIZED',
      'SUBAGENT_NOT_RESUMABLE',
      'SUBAGENT_PARENT_UNAVAILABLE',
      'SUBAGENT_DELIVERY_UNAVAILABLE',
      'IDEMPOTENCY_KEY_REUSED',
      'QUEUE_FULL',
      'BODY_TOO_LARGE',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  prompt(
    @CallerTenant() tenant: TenantId,
    @PathParameters(ChildPath) { id, child }: ChildPath,
    @JsonBody(ChildPromptBody) body: ChildPromptBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ): Promise<PromptReceipt> {
    return this.children.prompt({ parent: { tenant, session: id }, child, idempotencyKey, body });
  }

  @Post('interrupt')
  @HttpCode(202)
  @Describe({
    summary: 'Stop the turn of an agent; what waits for it stays until it is written to, and so do its own agents',
    description: 'An agent that does one task, or that has ended, stays as it is.',
    headers: [idempotencyHeader],
    answers: { 202: { description: 'accepted', schema: RequestReceipt } },
    refusals: [
      'INVALID_REQUEST',
      'SESSION_NOT_FOUND',
      'SUBAGENT_NOT_FOUND',
      'SUBAGENT_UNAUTHORIZED',
      'IDEMPOTENCY_KEY_REUSED',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  interrupt(
    @CallerTenant() tenant: TenantId,
    @PathParameters(ChildPath) { id, child }: ChildPath,
    @JsonBody(NoBody) _body: unknown,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ): Promise<RequestReceipt> {
    return this.children.interrupt({ parent: { tenant, session: id }, child, idempotencyKey });
  }
}
