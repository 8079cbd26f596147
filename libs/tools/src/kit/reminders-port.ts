import type { LocalTime, ReminderError, ReminderReply, ReminderRequest } from '@everturn/core/domain';

/** The reminders of the session that calls. Its members are for workflow code: waiting holds nothing. */
export interface RemindersPort {
  /** Answers once what was asked for is in the log; `undefined` when the call was stopped before. */
  ask(request: ReminderRequest): Promise<ReminderReply | undefined>;
  /** The instant in epoch ms at which clocks somewhere show a time. */
  resolve(local: LocalTime): Promise<number | ReminderError>;
}
