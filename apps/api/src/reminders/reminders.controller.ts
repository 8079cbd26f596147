import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe, type RouteDescription } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { IdempotencyKey, idempotencyHeader } from '../platform/requests/idempotency-key.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { readRule } from './read-rule.ts';
import { ReminderBody, ReminderList, ReminderPath, ReminderReceipt } from './reminder-requests.ts';
import { RemindersService } from './reminders.service.ts';

const changing: Pick<RouteDescription, 'headers' | 'refusals'> = {
  headers: [idempotencyHeader],
  refusals: [
    'INVALID_REQUEST',
    'SESSION_NOT_FOUND',
    'AGENT_BUSY',
    'SESSION_CLOSED',
    'SESSION_BROKEN',
    'REMINDER_REFUSED',
    'REMINDER_NOT_FOUND',
    'IDEMPOTENCY_KEY_REUSED',
    'TEMPORAL_UNAVAILABLE',
  ],
};

/** What a session is to be reminded of. */
@Controller('v1/sessions/:id/reminders')
export class RemindersController {
  constructor(private readonly reminders: RemindersService) {}

  @Get()
  @Describe({
    summary: 'Active reminders of a session, in the order they were set',
    answers: { 200: { description: 'with the next time of each', schema: ReminderList } },
    refusals: ['SESSION_NOT_FOUND', 'REMINDER_REFUSED'],
  })
  list(@CallerTenant() tenant: TenantId, @PathParameters(SessionPath) { id }: SessionPath) {
    return this.reminders.list({ tenant, session: id });
  }

  @Post()
  @HttpCode(202)
  @Describe({
    summary: 'Set a reminder, as the tool schedule_create does',
    description:
      'When it is due its prompt begins a turn of the session, marked as a reminder, once nothing else runs.',
    answers: {
      202: { description: 'accepted; with the reminder once the session has answered', schema: ReminderReceipt },
    },
    ...changing,
  })
  create(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @JsonBody(ReminderBody) body: ReminderBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ) {
    const { prompt } = body;
    return this.reminders.create({ key: { tenant, session: id }, idempotencyKey, body, prompt, rule: readRule(body) });
  }

  @Delete(':reminder')
  @HttpCode(202)
  @Describe({
    summary: 'Delete a reminder, so that it does not come any more',
    answers: { 202: { description: 'accepted', schema: ReminderReceipt } },
    ...changing,
  })
  delete(
    @CallerTenant() tenant: TenantId,
    @PathParameters(ReminderPath) { id, reminder }: ReminderPath,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ) {
    return this.reminders.delete({ key: { tenant, session: id }, idempotencyKey, reminder });
  }
}
