import { Controller, Get, Post, Res } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { ClientGone } from '../platform/http/client-gone.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { PromptReceipt } from '../platform/schemas/receipt.ts';
import { SessionState } from '../platform/schemas/session-state.ts';
import { CreateSessionService } from './create-session.service.ts';
import { IdleWait } from './idle-wait.ts';
import { CreateSession, ListSessions, ReadSession } from './session-requests.ts';
import { SessionsService } from './sessions.service.ts';

const CreatedSession = SessionState.extend({ prompt: PromptReceipt.optional() });
const SessionPage = z.strictObject({ sessions: z.array(SessionState), next: z.string().nullable() });
const SessionDetails = SessionState.extend({ queue: z.array(z.unknown()), interactions: z.array(z.unknown()) });

/** Sessions: create, list, read. */
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly creation: CreateSessionService,
    private readonly sessions: SessionsService,
    private readonly idle: IdleWait,
  ) {}

  @Post()
  @Describe({
    summary: 'Create a session, with its first prompt in the same call if there is one',
    headers: [idempotencyHeader],
    answers: {
      201: { description: 'created', schema: CreatedSession },
      200: { description: 'the same create was made before; its session', schema: CreatedSession },
    },
    refusals: [
      'INVALID_REQUEST',
      'INVALID_JSON',
      'INVALID_CHARACTERS',
      'EMPTY_CONTENT',
      'UNKNOWN_PROVIDER',
      'UNKNOWN_MODEL',
      'UNKNOWN_TOOLSET',
      'WORKSPACE_NOT_ALLOWED',
      'SESSION_EXISTS',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'TEMPORAL_UNAVAILABLE',
    ],
  })
  async create(
    @CallerTenant() tenant: TenantId,
    @JsonBody(CreateSession) body: CreateSession,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.output<typeof CreatedSession>> {
    const { session, outcome, prompt } = await this.creation.create({ tenant, body, idempotencyKey });
    void reply.status(outcome === 'created' ? 201 : 200).header('location', `/v1/sessions/${session}`);
    const state = await this.sessions.state({ tenant, session });
    return { ...state, ...(prompt && { prompt: { ...prompt, requestId: prompt.promptId } }) };
  }

  @Get()
  @Describe({
    summary: 'List sessions, newest first',
    answers: { 200: { description: 'a page', schema: SessionPage } },
    refusals: ['INVALID_REQUEST', 'INVALID_CURSOR'],
  })
  list(@CallerTenant() tenant: TenantId, @QueryString(ListSessions) query: ListSessions) {
    return this.sessions.list(tenant, query);
  }

  @Get(':id')
  @Describe({
    summary: 'One session: status, queue, usage, open questions, links',
    answers: { 200: { description: 'the session', schema: SessionDetails } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  async read(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(ReadSession) { whenIdle }: ReadSession,
    @ClientGone() signal: AbortSignal,
  ) {
    const key = { tenant, session: id };
    if (whenIdle !== undefined) await this.idle.whenIdle({ key, timeoutMs: whenIdle * 1_000, signal });
    return this.sessions.details(key);
  }
}
