import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { AnswerBody, ClientPath, OfferBody, OpenQueries, QueryPath, WaitQuery } from './inspect-shapes.ts';
import { InspectService } from './inspect.service.ts';

/** Pages that answer what agents ask about them. */
@Controller('v1/sessions/:id/inspect/:client')
export class InspectController {
  constructor(private readonly inspect: InspectService) {}

  @Put()
  @HttpCode(204)
  @Describe({
    summary: 'Offer what a page can be asked, in place of what it offered',
    description: 'Holds for a minute after the page was last heard of. Agents find it by cordis_inspect_list.',
    answers: { 204: { description: 'offered' } },
    refusals: ['SESSION_NOT_FOUND', 'SESSION_CLOSED', 'SESSION_BROKEN', 'INVALID_REQUEST'],
  })
  offer(
    @CallerTenant() tenant: TenantId,
    @PathParameters(ClientPath) { id, client }: ClientPath,
    @JsonBody(OfferBody) body: OfferBody,
  ): Promise<void> {
    return this.inspect.offer({ tenant, session: id, client }, body);
  }

  @Delete()
  @HttpCode(204)
  @Describe({
    summary: 'Offer nothing any more',
    answers: { 204: { description: 'withdrawn' } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  withdraw(@CallerTenant() tenant: TenantId, @PathParameters(ClientPath) { id, client }: ClientPath): Promise<void> {
    return this.inspect.withdraw({ tenant, session: id, client });
  }

  @Get('queries')
  @Describe({
    summary: 'What a page is asked now',
    answers: { 200: { description: 'the questions it has not answered', schema: OpenQueries } },
    refusals: ['SESSION_NOT_FOUND', 'INSPECT_CLIENT_NOT_FOUND', 'INVALID_REQUEST'],
  })
  queries(
    @CallerTenant() tenant: TenantId,
    @PathParameters(ClientPath) { id, client }: ClientPath,
    @QueryString(WaitQuery) { wait = 0 }: WaitQuery,
  ): Promise<OpenQueries> {
    return this.inspect.queries({ tenant, session: id, client }, wait * 1_000);
  }

  @Post('queries/:query')
  @HttpCode(202)
  @Describe({
    summary: 'Answer a question; the first answer of any page that fits its schema counts',
    answers: { 202: { description: 'kept' } },
    refusals: ['SESSION_NOT_FOUND', 'INSPECT_CLIENT_NOT_FOUND', 'INSPECT_QUERY_NOT_FOUND', 'INVALID_REQUEST'],
  })
  answer(
    @CallerTenant() tenant: TenantId,
    @PathParameters(QueryPath) { id, client, query }: QueryPath,
    @JsonBody(AnswerBody) body: AnswerBody,
  ): Promise<void> {
    return this.inspect.answer({ tenant, session: id, client }, query, body);
  }
}
