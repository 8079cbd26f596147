import type {
  GoalReply,
  GoalRequest,
  GoalToolRequest,
  GoalView,
  ReminderReply,
  ReminderRequest,
  RequestId,
} from '../domain/index.ts';

/** Signal `ask` of a step to its session, which alone changes what all its turns share. */
export interface AskSession {
  /** Names the call that asks, for good. */
  id: string;
  /** The workflow that waits for the answer. */
  replyTo: string;
  question: SessionQuestion;
}

/** What about: its reminders, or its goal; `spoken` where a person has spoken in the turn that runs. */
export type SessionQuestion =
  | { about: 'reminders'; request: ReminderRequest }
  | { about: 'goal'; request: GoalToolRequest; spoken: boolean };

/** Signal `sessionReply` of a session to the workflow that asked. */
export interface SessionReply {
  id: string;
  reply: ReminderReply | GoalReply;
}

/** Update and signal `goal`. */
export interface ChangeGoal {
  requestId: RequestId;
  request: GoalRequest;
}
/** Absent for a request that was taken before. */
export interface GoalReceipt {
  view?: GoalView;
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
