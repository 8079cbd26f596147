/** What may be wrong with a wish for a reminder. */
export type ReminderErrorCode =
  | 'invalid_prompt'
  | 'invalid_selector'
  | 'invalid_rule'
  | 'invalid_time_zone'
  | 'not_future'
  | 'time_out_of_range'
  | 'frequency_too_high'
  | 'too_many_schedules'
  | 'corrupt_schedule_log'
  | 'persistence_uncertain'
  | 'internal_error';

/** A refusal as a value: the model reads it like any other answer. */
export interface ReminderError {
  code: ReminderErrorCode;
  message: string;
  operation?: 'create' | 'delete';
  id?: string;
}

/** Makes a refusal. */
export const reminderError = (code: ReminderErrorCode, message: string): ReminderError => ({ code, message });

/** Whether something went wrong. */
export const isReminderError = (value: object): value is ReminderError => 'code' in value && 'message' in value;
