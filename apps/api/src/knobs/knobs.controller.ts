import { Controller, Get, Put, Res } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { KnobReceipt, ModelBody, ModelReport, PlanBody, PlanReport } from './knob-requests.ts';
import { KnobsService } from './knobs.service.ts';

const CHANGE_REFUSALS = [
  'INVALID_REQUEST',
  'SESSION_NOT_FOUND',
  'AGENT_BUSY',
  'SESSION_CLOSED',
  'SESSION_BROKEN',
  'IDEMPOTENCY_KEY_REUSED',
  'TEMPORAL_UNAVAILABLE',
] as const;
const accepted = { 202: { description: 'accepted', schema: KnobReceipt } };

/** What holds from a session's next step on. */
@Controller('v1/sessions/:id')
export class KnobsController {
  constructor(private readonly knobs: KnobsService) {}

  @Get('plan')
  @Describe({
    summary: 'Whether a session plans before it acts',
    answers: { 200: { description: 'where plan mode stands', schema: PlanReport } },
    refusals: ['INVALID_REQUEST', 'SESSION_NOT_FOUND'],
  })
  plan(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath): Promise<PlanReport> {
    return this.knobs.plan({ tenant, session: id });
  }

  @Put('plan')
  @Describe({
    summary: 'Switch plan mode, also while a turn runs',
    description: 'Holds at once while nothing runs, else from the next step of an accepted turn on.',
    headers: [idempotencyHeader],
    answers: accepted,
    refusals: [...CHANGE_REFUSALS],
  })
  setPlan(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(PlanBody) { active }: PlanBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<KnobReceipt> {
    void reply.status(202);
    return this.knobs.setPlan({ tenant, session: id }, idempotencyKey, active);
  }

  @Get('model')
  @Describe({
    summary: 'Which model answers, and which could',
    answers: { 200: { description: 'the model and the offers of live workers', schema: ModelReport } },
    refusals: ['INVALID_REQUEST', 'SESSION_NOT_FOUND'],
  })
  model(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath): Promise<ModelReport> {
    return this.knobs.model({ tenant, session: id });
  }

  @Put('model')
  @Describe({
    summary: 'Choose the model of the next step and all after it',
    headers: [idempotencyHeader],
    answers: accepted,
    refusals: [...CHANGE_REFUSALS, 'UNKNOWN_PROVIDER', 'UNKNOWN_MODEL'],
  })
  setModel(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(ModelBody) body: ModelBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<KnobReceipt> {
    void reply.status(202);
    return this.knobs.setModel({ tenant, session: id }, idempotencyKey, body);
  }
}
