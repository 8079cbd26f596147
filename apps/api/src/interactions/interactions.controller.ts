import { Controller, Get, Post, Res } from '@nestjs/common';
import { QuestionAnswer, SessionId, type TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { RequestReceipt } from '../platform/schemas/receipt.ts';
import { InteractionsService } from './interactions.service.ts';

const State = z.enum(['open', 'answered', 'cancelled']);
const ListQuery = z.strictObject({ state: State.optional() });
type ListQuery = z.output<typeof ListQuery>;

const InteractionPath = z.strictObject({ id: SessionId, interactionId: z.string().min(1).max(300) });
type InteractionPath = z.output<typeof InteractionPath>;

const Decision = z.strictObject({ decision: z.enum(['allow', 'deny']) });
type Decision = z.output<typeof Decision>;

const Answers = z.union([
  z.strictObject({ answers: z.array(QuestionAnswer).max(100) }),
  z.strictObject({ dismiss: z.literal(true) }),
]);
type Answers = z.output<typeof Answers>;

const REFUSALS = [
  'INVALID_REQUEST',
  'SESSION_NOT_FOUND',
  'INTERACTION_NOT_FOUND',
  'ALREADY_ANSWERED',
  'TEMPORAL_UNAVAILABLE',
] as const;

const Interaction = z.strictObject({
  id: z.string(),
  kind: z.enum(['approval', 'question']),
  state: State,
  turn: z.int(),
  step: z.int(),
  callId: z.string().optional(),
  request: z.unknown(),
  outcome: z.unknown().optional(),
  createdAt: z.string(),
});
const Interactions = z.strictObject({ interactions: z.array(Interaction) });

/** Approvals and questions. */
@Controller('v1/sessions/:id')
export class InteractionsController {
  constructor(private readonly interactions: InteractionsService) {}

  @Get('interactions')
  @Describe({
    summary: 'Questions to people, oldest first',
    answers: { 200: { description: 'all of them, or those in one state', schema: Interactions } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  async list(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(ListQuery) { state }: ListQuery,
  ): Promise<z.input<typeof Interactions>> {
    const found = await this.interactions.list({ tenant, session: id }, state);
    const shown = found.map(({ session: _session, answerTo: _workflow, createdAt, ...rest }) => ({
      ...rest,
      createdAt: createdAt.toISOString(),
    }));
    return { interactions: shown };
  }

  @Post('approvals/:interactionId')
  @Describe({
    summary: 'Allow or deny what waits for approval; the first answer wins',
    headers: [idempotencyHeader],
    answers: { 202: { description: 'accepted', schema: RequestReceipt } },
    refusals: [...REFUSALS],
  })
  decide(
    @CallerTenant() tenant: TenantId,
    @PathParameters(InteractionPath) { id, interactionId }: InteractionPath,
    @JsonBody(Decision) { decision }: Decision,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    const answer = { kind: 'approval', decision } as const;
    return this.interactions.answer({ key: { tenant, session: id }, interactionId, answer, idempotencyKey });
  }

  @Post('questions/:interactionId/answer')
  @Describe({
    summary: 'Answer a set of questions, or dismiss it; the first answer wins, one that does not fit changes nothing',
    headers: [idempotencyHeader],
    answers: { 202: { description: 'accepted', schema: RequestReceipt } },
    refusals: [...REFUSALS, 'ANSWER_REFUSED'],
  })
  reply(
    @CallerTenant() tenant: TenantId,
    @PathParameters(InteractionPath) { id, interactionId }: InteractionPath,
    @JsonBody(Answers) body: Answers,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RequestReceipt> {
    void reply.status(202);
    const answer = 'dismiss' in body ? ({ kind: 'dismissal' } as const) : { kind: 'answers' as const, ...body };
    return this.interactions.answer({ key: { tenant, session: id }, interactionId, answer, idempotencyKey });
  }
}
