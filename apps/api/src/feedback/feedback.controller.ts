import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { AnswerPath, FeedbackBody, FeedbackList, FeedbackReceipt } from './feedback-requests.ts';
import { FeedbackService } from './feedback.service.ts';

/** What people think of answers; beside the log, never shown to a model. */
@Controller('v1/sessions/:id/feedback')
export class FeedbackController {
  constructor(private readonly feedback: FeedbackService) {}

  @Get()
  @Describe({
    summary: 'What people think of the answers of a session',
    answers: { 200: { description: 'in the order of the answers', schema: FeedbackList } },
    refusals: ['INVALID_REQUEST', 'SESSION_NOT_FOUND'],
  })
  list(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath): Promise<FeedbackList> {
    return this.feedback.list({ tenant, session: id });
  }

  @Put(':seq')
  @Describe({
    summary: 'Rate an answer, with a note if you like',
    answers: { 200: { description: 'the version it has now', schema: FeedbackReceipt } },
    refusals: [
      'INVALID_REQUEST',
      'SESSION_NOT_FOUND',
      'FEEDBACK_NOTE_BLANK',
      'FEEDBACK_NOTE_TOO_LARGE',
      'FEEDBACK_TARGET_NOT_FOUND',
      'FEEDBACK_VERSION_CONFLICT',
    ],
  })
  put(
    @CallerTenant() tenant: TenantId,
    @PathParameters(AnswerPath) { id, seq }: AnswerPath,
    @JsonBody(FeedbackBody) body: FeedbackBody,
  ): Promise<FeedbackReceipt> {
    return this.feedback.put({ tenant, session: id }, seq, body);
  }

  @Delete(':seq')
  @HttpCode(204)
  @Describe({
    summary: 'Take the rating of an answer back',
    answers: { 204: { description: 'there is none any more' } },
    refusals: ['INVALID_REQUEST', 'SESSION_NOT_FOUND'],
  })
  delete(@CallerTenant() tenant: TenantId, @PathParameters(AnswerPath) { id, seq }: AnswerPath): Promise<void> {
    return this.feedback.delete({ tenant, session: id }, seq);
  }
}
