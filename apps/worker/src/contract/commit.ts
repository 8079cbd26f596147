import type {
  Ack,
  AuthoredEvent,
  JsonValue,
  MaybeRef,
  RequestId,
  SeqRange,
  SessionId,
  TenantId,
} from '@everturn/core/domain';
import type { SessionStatus, UsageTotals } from '@everturn/core/protocol';

/** Names the session an activity works for and the life of it its caller belongs to. */
export interface SessionRef {
  session: SessionId;
  tenant: TenantId;
  /** Raised by recovery; writers of a lower one are refused. */
  generation: number;
}

/** What every activity input carries: events not yet acknowledged, in order of append. */
export interface Commit {
  events: AuthoredEvent[];
  /** The author's highest acknowledged seq (-1 = none); a head below it means a restored database. */
  highestAcknowledged: number;
  /** For events a session adds to a turn somebody else writes: refuse unless this turn is open. */
  expectOpenTurn?: number;
  /** Rows beside the log that change in the same transaction. */
  rows?: RowChanges;
}

/** State clients list and follow without reading the log. */
export interface RowChanges {
  /** When the author decided this, in workflow time: a late duplicate of it changes nothing newer. */
  at?: number;
  status?: SessionStatus;
  queueLength?: number;
  openTurn?: number | null;
  usage?: UsageTotals;
  model?: string;
  prompts?: PromptChange[];
  interactions?: InteractionChange[];
  requests?: RequestOutcome[];
}
export interface PromptChange {
  promptId: RequestId;
  state: 'queued' | 'claimed' | 'done' | 'discarded';
  turn?: number;
}
export interface InteractionChange {
  id: string;
  kind: 'approval' | 'question';
  state: 'open' | 'answered' | 'cancelled';
  turn: number;
  step: number;
  callId?: string;
  /** The workflow that waits and takes the answer. */
  answerTo: string;
  /** What is asked, for people: tool name, reason, questions. */
  request: JsonValue;
  outcome?: JsonValue;
}
export interface RequestOutcome {
  requestId: RequestId;
  outcome: 'accepted' | 'refused';
  code?: string;
  message?: string;
}

/** What a commit answers. */
export interface Committed {
  acks: Ack[];
}

/** An event an activity wrote itself, with its number: all a rebuild needs. */
export interface WrittenEvent {
  event: AuthoredEvent;
  seq: number;
  time: number;
}

/** What recovery found in the log of dead authors, so that a rebuild can number it. */
export interface FoundRows {
  /** Events that activities wrote, recovery's own among them: no history holds their content. */
  events: MaybeRef<WrittenEvent[]>;
  /** Numbers of events that workflows wrote; their content is in the inputs of the activities that carried them. */
  acks: MaybeRef<Ack[]>;
  chunks: SeqRange[];
  /** Effects of the last turn that were closed without an outcome: never begun, or nobody knows. */
  settled: { key: string; state: 'void' | 'unknown'; turn: number; step: number; label: string }[];
}

export interface CommitLogInput extends SessionRef {
  commit: Commit;
}

/** Activities that need nothing but Postgres. */
export interface LogActivities {
  /** Numbers and stores events; the flush checkpoint of every turn. */
  commitLog(input: CommitLogInput): Promise<Committed>;
}
