import { assertNever } from '../assert-never.ts';
import { removeReminder } from './change-reminders.ts';
import { afterDelivery } from './deliver-reminders.ts';
import { isInRange } from './instant.ts';
import { NO_REMINDERS, type ArmedReminder, type Reminders } from './reminder.ts';
import { reminderError, type ReminderError } from './reminder-error.ts';
import type { ReminderChange } from './reminder-events.ts';

/** The reminders a log leaves behind; a log that contradicts itself arms none. Changes are valid one by one. */
export function foldReminders(changes: readonly ReminderChange[]): Reminders | ReminderError {
  let reminders = NO_REMINDERS;
  for (const [index, change] of changes.entries()) {
    const next = apply(reminders, change);
    if (typeof next === 'string') return reminderError('corrupt_schedule_log', `schedule/change ${index + 1}: ${next}`);
    reminders = next;
  }
  return reminders;
}

function apply(reminders: Reminders, change: ReminderChange): Reminders | string {
  const { created, armed } = reminders;
  switch (change.operation) {
    case 'create': {
      const { schedule } = change;
      const dueAt = Date.parse(schedule.scheduledAt);
      if (schedule.id !== `schedule-${created + 1}`) return `${schedule.id} is not the next id`;
      if (!isInRange(dueAt)) return `${schedule.id} has no time`;
      return { created: created + 1, armed: [...armed, { reminder: schedule, dueAt }] };
    }
    case 'delete': {
      const next = removeReminder(reminders, change.id);
      return next === reminders ? `${change.id} is not active` : next;
    }
    case 'dispatch': {
      const found = armed.find(({ reminder }) => reminder.id === change.id);
      if (!found) return `${change.id} is not active`;
      const left = dispatched(found, change.acceptedAt);
      if (typeof left === 'string') return left;
      return { created, armed: armed.flatMap((each) => (each === found ? left : [each])) };
    }
    default:
      return assertNever(change);
  }
}

function dispatched(found: ArmedReminder, acceptedAt: string | undefined): ArmedReminder[] | string {
  const { id, kind } = found.reminder;
  if (kind !== 'every') return acceptedAt === undefined ? [] : `${id} does not recur`;
  if (acceptedAt === undefined) return `${id} recurs, but says not when it was delivered`;
  const at = Date.parse(acceptedAt);
  return at >= found.dueAt ? afterDelivery(found, at) : `${id} was delivered before it was due`;
}
