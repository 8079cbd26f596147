import { reminderError, type ReminderError } from '@everturn/core/domain';
import type { OrchestrationContext } from './orchestrate-tool.ts';
import type { RemindersPort } from './reminders-port.ts';

/** The port, where the call's session may have reminders: one that works for another agent has none of its own. */
export function requireReminders({ reminders, delegated }: OrchestrationContext): RemindersPort | ReminderError {
  if (delegated) return reminderError('internal_error', 'an agent that works for another one has no reminders');
  return reminders ?? reminderError('internal_error', 'no session serves this call');
}
