import { isInRange } from './instant.ts';
import type { ArmedReminder, ReminderId, Reminders } from './reminder.ts';
import type { ReminderChange } from './reminder-events.ts';

/** One reminder as its message has it. */
export interface Occurrence {
  id: ReminderId;
  prompt: string;
  /** Epoch ms. */
  at: number;
}

/** What one turn delivers: a single one-shot reminder, or every recurring one that is due, together. */
export interface ReminderDelivery {
  form: 'single' | 'batch';
  occurrences: Occurrence[];
  /** What the log is told with the message. */
  changes: ReminderChange[];
  /** What is left to be delivered. */
  reminders: Reminders;
}

/** What to deliver next; `undefined` when nothing is due. Of slots that were missed only the latest counts. */
export function nextDelivery(reminders: Reminders, now: number): ReminderDelivery | undefined {
  const due = reminders.armed.filter(({ dueAt }) => dueAt <= now);
  const [oneShot] = due.filter(({ reminder }) => reminder.kind !== 'every').toSorted((a, b) => a.dueAt - b.dueAt);
  if (oneShot) return deliver(reminders, 'single', [oneShot], now);
  return due.length > 0 ? deliver(reminders, 'batch', due, now) : undefined;
}

function deliver(
  reminders: Reminders,
  form: ReminderDelivery['form'],
  due: readonly ArmedReminder[],
  now: number,
): ReminderDelivery {
  const acceptedAt = new Date(now).toISOString();
  return {
    form,
    occurrences: due.map((armed) => ({
      id: armed.reminder.id,
      prompt: armed.reminder.prompt,
      at: latestOccurrence(armed, now),
    })),
    changes: due.map(({ reminder: { id, kind } }) => ({
      version: 1,
      operation: 'dispatch',
      id,
      ...(kind === 'every' && { acceptedAt }),
    })),
    reminders: {
      ...reminders,
      armed: reminders.armed.flatMap((armed) => (due.includes(armed) ? afterDelivery(armed, now) : [armed])),
    },
  };
}

/** The longest one timer waits, in ms; who waits longer looks at the clock in between. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** The first slot after now. */
export const nextSlot = ({ dueAt, everyMs }: { dueAt: number; everyMs: number }, now: number): number =>
  dueAt + (Math.floor(Math.max(0, now - dueAt) / everyMs) + 1) * everyMs;

/** The last occurrence up to now; slots stay where the first one put them. */
export function latestOccurrence({ reminder, dueAt }: ArmedReminder, now: number): number {
  if (reminder.kind !== 'every') return dueAt;
  const interval = reminder.everySeconds * 1000;
  return dueAt + Math.floor((now - dueAt) / interval) * interval;
}

/** What is left of a reminder that was delivered: the next slot, unless there is none. */
export function afterDelivery(armed: ArmedReminder, now: number): ArmedReminder[] {
  const { reminder } = armed;
  if (reminder.kind !== 'every') return [];
  const dueAt = nextSlot({ dueAt: armed.dueAt, everyMs: reminder.everySeconds * 1000 }, now);
  return isInRange(dueAt) ? [{ reminder, dueAt }] : [];
}
