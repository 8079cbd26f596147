import { assertNever } from '../assert-never.ts';
import { isInRange } from './instant.ts';
import {
  MOST_PROMPT_BYTES,
  MOST_REMINDERS,
  type ArmedReminder,
  type Reminder,
  type ReminderId,
  type ReminderRule,
  type Reminders,
} from './reminder.ts';
import { reminderError, type ReminderError } from './reminder-error.ts';

/** Adds a reminder whose time is known; its number is the next one, whatever became of the others. */
export function addReminder(
  { created, armed }: Reminders,
  { prompt, rule }: { prompt: string; rule: ReminderRule },
  now: number,
): { reminders: Reminders; added: ArmedReminder } | ReminderError {
  if (armed.length >= MOST_REMINDERS)
    return reminderError('too_many_schedules', `at most ${MOST_REMINDERS} reminders may be active; delete one first`);
  const bytes = [...armed.map(({ reminder }) => reminder.prompt), prompt].reduce(
    (sum, text) => sum + lengthOf(text),
    0,
  );
  if (bytes > MOST_PROMPT_BYTES)
    return reminderError(
      'too_many_schedules',
      `the prompts of active reminders may have ${MOST_PROMPT_BYTES} bytes together; delete one first`,
    );
  const dueAt = firstOccurrence(rule, now);
  if (!isInRange(dueAt))
    return reminderError('time_out_of_range', 'the reminder would be due outside the years 0001 to 9999');
  if (dueAt <= now) return reminderError('not_future', `"at" must lie ahead; it is ${new Date(now).toISOString()} now`);
  const id = `schedule-${created + 1}` as ReminderId;
  const added: ArmedReminder = {
    reminder: describe(rule, { id, prompt, scheduledAt: new Date(dueAt).toISOString() }),
    dueAt,
  };
  return { reminders: { created: created + 1, armed: [...armed, added] }, added };
}

/** Takes a reminder away; the same reminders when there is none of that id. */
export const removeReminder = (reminders: Reminders, id: string): Reminders =>
  reminders.armed.some(({ reminder }) => reminder.id === id)
    ? { ...reminders, armed: reminders.armed.filter(({ reminder }) => reminder.id !== id) }
    : reminders;

function firstOccurrence(rule: ReminderRule, now: number): number {
  switch (rule.kind) {
    case 'after':
      return now + rule.afterSeconds * 1000;
    case 'at':
      return rule.at;
    case 'every':
      return now + rule.everySeconds * 1000;
    default:
      return assertNever(rule);
  }
}

function describe(rule: ReminderRule, common: Pick<Reminder, 'id' | 'prompt' | 'scheduledAt'>): Reminder {
  switch (rule.kind) {
    case 'after':
      return { ...common, kind: 'after', afterSeconds: rule.afterSeconds };
    case 'at':
      return { ...common, kind: 'at' };
    case 'every':
      return { ...common, kind: 'every', everySeconds: rule.everySeconds };
    default:
      return assertNever(rule);
  }
}

const lengthOf = (text: string): number => new TextEncoder().encode(text).length;
