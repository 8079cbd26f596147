import type { ReminderReply, ReminderRequest, RequestId } from '../domain/index.ts';

/** Signal `ask` of a step to its session, which alone changes what all its turns share. */
export interface AskSession {
  /** Names the call that asks, for good. */
  id: string;
  /** The workflow that waits for the answer. */
  replyTo: string;
  request: ReminderRequest;
}

/** Signal `sessionReply` of a session to the workflow that asked. */
export interface SessionReply {
  id: string;
  reply: ReminderReply;
}

/** Update and signal `reminders`. */
export interface ChangeReminders {
  requestId: RequestId;
  request: Exclude<ReminderRequest, { operation: 'list' }>;
}
/** Absent for a request that was taken before. */
export interface RemindersReceipt {
  reply?: ReminderReply;
}
