import type { ReminderError } from './reminder-error.ts';
import type { ReminderId, ReminderRule, ReminderView } from './reminder.ts';

/** What a session is asked about its reminders. */
export type ReminderRequest =
  | { operation: 'create'; prompt: string; rule: ReminderRule }
  | { operation: 'list' }
  | { operation: 'delete'; id: string };

/** What it answers; a change is in the log by then. */
export type ReminderReply =
  | { kind: 'created'; reminder: ReminderView }
  | { kind: 'listed'; reminders: ReminderView[] }
  | { kind: 'deleted'; id: ReminderId }
  | { kind: 'not-found'; id: string }
  | { kind: 'refused'; error: ReminderError };
