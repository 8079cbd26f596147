import type {
  CancelCause,
  ContinuationReason,
  KnobChange,
  LlmFailure,
  MessageEntry,
  Permissions,
  RequestId,
  SteeringState,
  StepKnobs,
  TurnEndReason,
  TurnTrigger,
} from '@everturn/core/domain';
import type { LoopInstance, OpenPermissions, SessionOwner, StepIsolation, UsageTotals } from '@everturn/core/protocol';
import type { OrchestratedEvent } from '@everturn/tools/kit';
import type { Assembly } from './assemble.ts';
import type { RowChanges, SessionRef } from './commit.ts';
import type { TitleDue } from './title.ts';

export interface TurnInput extends SessionRef {
  turn: number;
  /** The one queued message this turn answers. */
  message: MessageEntry;
  isolation: StepIsolation;
  instance: LoopInstance;
  usage: UsageTotals;
  highestAcknowledged: number;
  rows?: RowChanges;
  /** Whether the namespace knows our search attributes. */
  searchAttributes: boolean;
  permissions?: OpenPermissions;
  /** The agent the session works for, if it does. */
  owner?: SessionOwner;
  /** Somebody asked for a shorter history: the turn does that and nothing else; `message` only names the request. */
  purpose?: 'compact';
  knobs?: StepKnobs;
  /** The session has no title: its first message gives it one. */
  untitled?: true;
  carried?: TurnCarry;
}

/** What a long turn hands to its next run, between two steps. */
export interface TurnCarry {
  nextEvent: number;
  step: number;
  priorFailures: LlmFailure[];
  tokenLimit: 'hit' | 'clear';
  assembly: Assembly;
  steering: SteeringState;
  injected: SteeringState;
  consumed: RequestId[];
  spoken?: true;
  permissions?: Permissions;
  knobs?: StepKnobs;
  /** Why a listener made the turn go on, which the next step says first. */
  reason?: ContinuationReason;
  title?: string;
  titleDue?: TitleDue;
}

export interface TurnResult {
  /** The title the turn gave the session. */
  title?: string;
  /** A model may be asked for a better one. */
  titleDue?: TitleDue;
  reason: TurnEndReason;
  /** Entries written to the log. */
  consumed: RequestId[];
  /** The message of a goal's round was let in. */
  admitted?: true;
  /** Entries a terminal stop or a cancel dropped. */
  discarded: RequestId[];
  instance: LoopInstance;
  usage: UsageTotals;
  highestAcknowledged: number;
  preview: string;
  /** With what the next turn's first step changes. */
  knobs?: StepKnobs;
}

/** Signal of a session to its turn. */
export interface AbortTurn {
  cause: CancelCause;
}

/** Signal of a session to its turn: a change that holds from the next step on. */
export interface KnobUpdate {
  requestId: RequestId;
  change: KnobChange;
}

/** Signal of a session to its turn: events that only the log is to have. */
export interface SessionRecord {
  requestId: RequestId;
  /** Why there is a turn, if one has to be made for it. */
  trigger: TurnTrigger;
  events: readonly OrchestratedEvent[];
}

/** Signal of a turn to its session: what it took over and has written, and where the knobs stand. */
export interface TurnReport {
  turn: number;
  consumed: RequestId[];
  knobs?: StepKnobs;
}
