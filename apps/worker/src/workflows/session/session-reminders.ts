import { defineSignal, setHandler } from '@temporalio/workflow';
import {
  answerReminders,
  isReminderError,
  nextDelivery,
  NO_REMINDERS,
  REMINDER_SOURCE,
  reminderMessage,
  text,
  type MessageEntry,
  type ReminderDelivery,
  type ReminderReply,
  type ReminderRequest,
  type RequestId,
} from '@everturn/core/domain';
import type { ReminderDue } from '@everturn/core/protocol';
import { armReminder, disarmReminder } from './arm-reminders.ts';
import { runMessage } from './run-turn.ts';
import { writeSoon } from './session-facts.ts';
import type { SessionState } from './session-state.ts';

/** Hears the clocks of reminders. What is due the session sees by itself; it only has to look. */
export function listenToReminders(session: SessionState): void {
  setHandler(defineSignal<[ReminderDue]>('reminderDue'), ({ dueAt }) => {
    session.signals += 1;
    session.remindersUpTo = Math.max(session.remindersUpTo, dueAt);
  });
}

/** Answers a request, and changes what is armed; `written` is called once a change is in the log. */
export function changeReminders(
  session: SessionState,
  request: ReminderRequest,
  written?: (reply: ReminderReply) => void,
): ReminderReply {
  const { reply, change } = answerReminders(session.reminders ?? NO_REMINDERS, request, Date.now());
  if (!change) {
    written?.(reply);
    return reply;
  }
  const { event, armed } = change;
  session.reminders = change.reminders;
  writeSoon(session, {
    plugin: REMINDER_SOURCE.plugin,
    events: [{ type: 'schedule/change', data: event }],
    written: () => {
      if (armed) armReminder(session, armed);
      else if (event.operation === 'delete') disarmReminder(session, event.id);
      written?.(reply);
    },
  });
  return reply;
}

/** Reminders to be delivered now, if any. */
export function dueReminders(session: SessionState): ReminderDelivery | undefined {
  const { reminders } = session;
  if (!reminders || isReminderError(reminders)) return undefined;
  return nextDelivery(reminders, Math.max(Date.now(), session.remindersUpTo));
}

/** Delivers them as a turn of their own, which also says so in the log. */
export function deliverReminders(session: SessionState, delivery: ReminderDelivery): Promise<void> {
  session.reminders = delivery.reminders;
  const { form, occurrences, changes } = delivery;
  const ids = occurrences.map(({ id }) => id);
  const entry: MessageEntry = {
    requestId: `reminder.${ids[0]}.${ids.length}.${Date.now()}` as RequestId,
    kind: 'prompt',
    content: [text(reminderMessage({ form, occurrences }))],
    source: REMINDER_SOURCE,
    preview: `reminder: ${ids.join(', ').slice(0, 100)}`,
    facts: changes.map((data) => ({ type: 'schedule/change', data })),
  };
  return runMessage(session, entry);
}
