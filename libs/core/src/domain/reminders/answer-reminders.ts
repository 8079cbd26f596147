import { assertNever } from '../assert-never.ts';
import { addReminder, removeReminder } from './change-reminders.ts';
import { isReminderError, type ReminderError } from './reminder-error.ts';
import type { ReminderChange } from './reminder-events.ts';
import type { ReminderReply, ReminderRequest } from './reminder-request.ts';
import { viewReminder, type ArmedReminder, type ReminderId, type Reminders } from './reminder.ts';

/** The answer to a request, and what it changes. */
export interface AnsweredReminders {
  reply: ReminderReply;
  change?: { event: ReminderChange; reminders: Reminders; armed?: ArmedReminder };
}

/** Decides a request about the reminders of a session; where its log contradicts itself nothing is done. */
export function answerReminders(
  reminders: Reminders | ReminderError,
  request: ReminderRequest,
  now: number,
): AnsweredReminders {
  if (isReminderError(reminders)) return refused(reminders);
  switch (request.operation) {
    case 'list':
      return { reply: { kind: 'listed', reminders: reminders.armed.map((armed) => viewReminder(armed, now)) } };
    case 'create': {
      const result = addReminder(reminders, request, now);
      if (isReminderError(result)) return refused(result);
      const { added } = result;
      return {
        reply: { kind: 'created', reminder: viewReminder(added, now) },
        change: {
          event: { version: 1, operation: 'create', schedule: added.reminder },
          reminders: result.reminders,
          armed: added,
        },
      };
    }
    case 'delete': {
      const left = removeReminder(reminders, request.id);
      if (left === reminders) return { reply: { kind: 'not-found', id: request.id } };
      const id = request.id as ReminderId;
      return {
        reply: { kind: 'deleted', id },
        change: { event: { version: 1, operation: 'delete', id }, reminders: left },
      };
    }
    default:
      return assertNever(request);
  }
}

const refused = (error: ReminderError): AnsweredReminders => ({ reply: { kind: 'refused', error } });
