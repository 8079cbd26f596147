import type {
  GoalReply,
  GoalRequest,
  GoalToolRequest,
  GoalView,
  ReminderReply,
  ReminderRequest,
  RequestId,
  LeadFacts,
  SessionId,
  TeamReply,
  TeamRequest,
  TeamRules,
} from '../domain/index.ts';

/** Signal `ask` of a step to its session, which alone changes what all its turns share. */
export interface AskSession {
  /** Names the call that asks, for good. */
  id: string;
  /** The workflow that waits for the answer. */
  replyTo: string;
  question: SessionQuestion;
}

/** What about: its reminders; its goal, `spoken` where a person has spoken in the turn that runs; or the team it leads. */
export type SessionQuestion =
  | { about: 'reminders'; request: ReminderRequest }
  | { about: 'goal'; request: GoalToolRequest; spoken: boolean }
  | { about: 'team'; from: SessionId; request: TeamRequest; rules: TeamRules; as: LeadFacts };

/** Signal `asked` of a step that has waited long for an answer: has its question been heard? */
export type AskedBefore = Pick<AskSession, 'id' | 'replyTo'>;

/** Signal `sessionReply` of a session to the workflow that asked. */
export interface SessionReply {
  id: string;
  reply: ReminderReply | GoalReply | TeamReply;
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

/** What a log does not tell of a team. */
export interface TeamCarry {
  waiters: TeamWaiter[];
  /** Questions it has taken, the last of them. */
  asked: string[];
  /** Messages that are with their targets, and not known to be read. */
  handed: string[];
}

/** Somebody of a team whose step waits for something to happen. */
export interface TeamWaiter {
  from: SessionId;
  id: string;
  replyTo: string;
}
