import { Inject, Injectable } from '@nestjs/common';
import {
  foldReminders,
  isReminderError,
  viewReminder,
  type ReminderReply,
  type ReminderRule,
} from '@everturn/core/domain';
import { readReminderChanges, type Database } from '@everturn/core/postgres';
import type { ChangeReminders, RemindersReceipt } from '@everturn/core/protocol';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { refuseEnded, SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { ReminderList, ReminderReceipt } from './reminder-requests.ts';

interface Change {
  key: SessionKey;
  idempotencyKey: string | undefined;
  request: ChangeReminders['request'];
  /** What a repeated request must equal. */
  body: unknown;
}

/** Shows and changes the reminders of a session. */
@Injectable()
export class RemindersService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** As the log says. */
  async list(key: SessionKey): Promise<ReminderList> {
    const row = await this.access.find(key);
    const reminders = foldReminders(
      await readReminderChanges(this.database, { ...key, seedLength: row.header.seedLength }),
    );
    if (isReminderError(reminders))
      throw new ApiError({ code: 'REMINDER_REFUSED', message: `${reminders.code}: ${reminders.message}` });
    return { reminders: reminders.armed.map((armed) => viewReminder(armed, Date.now())) };
  }

  create(input: Omit<Change, 'request'> & { prompt: string; rule: ReminderRule }): Promise<ReminderReceipt> {
    const { prompt, rule, ...change } = input;
    return this.#change({ ...change, request: { operation: 'create', prompt, rule } });
  }

  delete(input: Omit<Change, 'request' | 'body'> & { reminder: string }): Promise<ReminderReceipt> {
    const { reminder: id, ...change } = input;
    return this.#change({ ...change, request: { operation: 'delete', id }, body: { id } });
  }

  async #change({ key, idempotencyKey, request, body }: Change): Promise<ReminderReceipt> {
    const row = await this.access.findOwn(key);
    const purpose = `reminder ${request.operation}`;
    const opened = await this.desk.open({ ...key, idempotencyKey, purpose, body });
    const { requestId } = opened;
    if (await this.desk.outcome(key, opened)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    await this.desk.note(key, requestId, 'reminders');
    const message: ChangeReminders = { requestId, request };
    const send = () =>
      this.messenger.deliver<RemindersReceipt>({
        ...key,
        name: 'reminders',
        message,
        intent: 'open',
        prefer: 'update',
      });
    const outcome = await this.desk.refusing(key, requestId, send);
    if (outcome.kind !== 'answered') return { requestId, accepted: 'queued' };
    const { reply } = outcome.result;
    if (reply) refuseBy(reply);
    await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    return { requestId, accepted: 'delivered', ...(reply?.kind === 'created' && { reminder: reply.reminder }) };
  }
}

/** A session that was only just opening says no by its answer. */
function refuseBy(reply: ReminderReply): void {
  if (reply.kind === 'not-found')
    throw new ApiError({ code: 'REMINDER_NOT_FOUND', message: `no reminder ${reply.id} is active` });
  if (reply.kind === 'refused')
    throw new ApiError({ code: 'REMINDER_REFUSED', message: `${reply.error.code}: ${reply.error.message}` });
}
