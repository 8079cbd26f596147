import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { wholeNumber } from '../platform/schemas/query-values.ts';
import { MessagesService } from './messages.service.ts';

const Message = z.looseObject({ role: z.enum(['system', 'user', 'assistant']), content: z.array(z.unknown()) });
const Messages = z.strictObject({ messages: z.array(Message), asOfSeq: z.int() });
const Entry = z.strictObject({ event: z.looseObject({}), views: z.record(z.string(), z.unknown()).optional() });
const Transcript = z.strictObject({ entries: z.array(Entry), next: z.int().nullable() });
const NoQuery = z.strictObject({});

const TranscriptQuery = z.strictObject({
  after: wholeNumber({ min: -1, max: Number.MAX_SAFE_INTEGER }).optional().describe('only entries after this seq'),
  limit: wholeNumber({ min: 1, max: 1_000 }).optional().describe('most events a page is made from; default 200'),
});
type TranscriptQuery = z.output<typeof TranscriptQuery>;

/** A session's conversation, for models and for people. */
@Controller('v1/sessions/:id')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('messages')
  @Describe({
    summary: 'The messages the model would be sent now',
    answers: { 200: { description: 'derived from the log up to asOfSeq', schema: Messages } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  derived(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(NoQuery) _query: unknown,
  ) {
    return this.messages.messages({ tenant, session: id });
  }

  @Get('transcript')
  @Describe({
    summary: 'What people saw, with views of tool calls and results',
    answers: { 200: { description: 'entries in log order; `next` continues as `after`', schema: Transcript } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST'],
  })
  transcript(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(TranscriptQuery) { after = -1, limit = 200 }: TranscriptQuery,
  ) {
    return this.messages.transcript({ tenant, session: id }, { after, limit });
  }
}
