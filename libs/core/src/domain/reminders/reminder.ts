import { z } from 'zod';

/** The shortest time between two occurrences of a recurring reminder, in seconds. */
export const SHORTEST_INTERVAL_SECONDS = 300;
/** Reminders of one session that may be armed at once, and how long their prompts may be together. */
export const MOST_REMINDERS = 100;
export const MOST_PROMPT_BYTES = 32 * 1024;

/** A session's reminder, numbered in order of creation and never anew: `schedule-1`. */
export const ReminderId = z
  .string()
  .regex(/^schedule-[1-9]\d{0,8}$/, 'a reminder id reads schedule-<number>')
  .brand<'ReminderId'>();
export type ReminderId = z.infer<typeof ReminderId>;

/** When a reminder is due; `at` is an instant in epoch ms. */
export type ReminderRule =
  | { kind: 'after'; afterSeconds: number }
  | { kind: 'at'; at: number }
  | { kind: 'every'; everySeconds: number };

/** An instant as the log and the model have it: UTC with milliseconds and a year of four digits. */
export const Instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'an instant in UTC with milliseconds');

const common = { id: ReminderId, prompt: z.string().min(1), scheduledAt: Instant };

/** A reminder as it was made; `scheduledAt` is its first occurrence. */
export const Reminder = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('after'), afterSeconds: z.int().positive() }),
  z.strictObject({ ...common, kind: z.literal('at') }),
  z.strictObject({ ...common, kind: z.literal('every'), everySeconds: z.int().min(SHORTEST_INTERVAL_SECONDS) }),
]);
export type Reminder = z.infer<typeof Reminder>;

/** A reminder that is still to be delivered, and its next occurrence in epoch ms. */
export interface ArmedReminder {
  reminder: Reminder;
  dueAt: number;
}

/** The reminders of a session; `created` counts all there ever were. */
export interface Reminders {
  created: number;
  armed: readonly ArmedReminder[];
}

/** Before the first. */
export const NO_REMINDERS: Reminders = Object.freeze({ created: 0, armed: Object.freeze([]) });

/** A reminder as its owner is told of it. */
export interface ReminderView {
  id: ReminderId;
  kind: Reminder['kind'];
  prompt: string;
  /** The next occurrence. */
  scheduledAt: string;
  afterSeconds?: number;
  everySeconds?: number;
  state: 'scheduled' | 'overdue';
  /** It is delivered to its session and nowhere else. */
  deliveryMode: 'session-local';
}

/** Shows a reminder as it stands at a time. */
export function viewReminder({ reminder, dueAt }: ArmedReminder, now: number): ReminderView {
  const { id, kind, prompt } = reminder;
  return {
    id,
    kind,
    prompt,
    scheduledAt: new Date(dueAt).toISOString(),
    ...(kind === 'after' && { afterSeconds: reminder.afterSeconds }),
    ...(kind === 'every' && { everySeconds: reminder.everySeconds }),
    state: now >= dueAt ? 'overdue' : 'scheduled',
    deliveryMode: 'session-local',
  };
}
