import type { ReminderId, SessionId, TenantId } from '../domain/index.ts';

/** Type name as Temporal sees it. */
export const REMINDER_WORKFLOW = 'reminderWorkflow';

/** What starts `reminderWorkflow`: the clock of one reminder, which lives beside its session. */
export interface ReminderInput {
  session: SessionId;
  tenant: TenantId;
  id: ReminderId;
  /** The next occurrence in epoch ms. */
  dueAt: number;
  /** Absent = once. */
  everyMs?: number;
  /** First words, for the UI. */
  preview: string;
}

/** Signal `reminderDue` of a reminder's clock to its session. */
export interface ReminderDue {
  id: ReminderId;
  /** Epoch ms. */
  dueAt: number;
}
