import type {
  GoalState,
  JobId,
  MessageEntry,
  ReminderError,
  Reminders,
  RequestId,
  SessionId,
  StepKnobs,
} from '@everturn/core/domain';
import type { LoopInstance, OpenPermissions, SessionInput, StepIsolation, UsageTotals } from '@everturn/core/protocol';
import type { Committed, FoundRows, SessionRef } from './commit.ts';

export interface OpenLogInput {
  session: SessionInput['session'];
  tenant: SessionInput['tenant'];
  intent: SessionInput['intent'];
  /** Identifies this run, so that a retried attempt finds what an earlier one did. */
  runId: string;
  /** This run is what somebody's Reset in Temporal made of another. */
  reset?: true;
  /** Whoever began this life said whom the session works for. */
  owned?: boolean;
}
export type OpenLogResult =
  | {
      kind: 'opened';
      generation: number;
      highestAcknowledged: number;
      /** The number of the last turn in the log; 0 = none. */
      lastTurn: number;
      instance: LoopInstance;
      usage: UsageTotals;
      isolation: StepIsolation;
      /** Accepted by the API but claimed by no turn, in order. */
      unclaimed: MessageEntry[];
      /** Those of them that came after a cancel, with the cancels they came after. */
      cancelsBefore?: Record<RequestId, RequestId[]>;
      recentRequests: RequestId[];
      title: string;
      /** Whether the namespace knows our search attributes; without them none are written. */
      searchAttributes: boolean;
      permissions?: OpenPermissions;
      knobs?: StepKnobs;
      /** Disarmed; absent in a session that never had one. */
      goal?: GoalState;
      /** Absent without any; an error where the log contradicts itself. */
      reminders?: Reminders | ReminderError;
      /** Its log tells of a team it leads. */
      team?: true;
      /** Jobs that ended while no life of the session could hear of it. */
      endedJobs?: JobId[];
      /** Agents that stay with it and are at work for an earlier life. */
      children?: SessionId[];
      /** Who started it, of an agent that stays with another and was not said to be owned. */
      parent?: { session: SessionId; state: 'open' | 'closed' };
      /** What a dead run left behind and how its tail was closed. */
      found: FoundRows;
    }
  | { kind: 'refused'; code: 'SESSION_CLOSED' | 'SESSION_NOT_FOUND' | 'SESSION_RESET'; message: string };

export interface RecoverInput extends SessionRef {
  turn: number;
  /** How the turn's workflow failed, for the log's readers. */
  cause: string;
  runId: string;
}
export interface RecoverResult extends Committed {
  generation: number;
  /** The number of the last turn in the log; the dead turn is not in it if it never wrote. */
  lastTurn: number;
  highestAcknowledged: number;
  found: FoundRows;
  permissions?: OpenPermissions;
  knobs?: StepKnobs;
  /** Entries the dead turn had already written to the log. */
  consumed: RequestId[];
  /** Whether the message of the dead turn is in the log, or that it was blocked. */
  admitted?: boolean;
}

export interface BirthActivities {
  /** Creates, reopens or refuses a session's log, and repairs the tail of a dead run. */
  openLog(input: OpenLogInput): Promise<OpenLogResult>;
  /** Closes a turn whose workflow died: generation first, then claims, then the closing events. */
  recover(input: RecoverInput): Promise<RecoverResult>;
}
