import type {
  CancelCause,
  LlmFailure,
  MessageEntry,
  Permissions,
  RequestId,
  SteeringState,
  TurnEndReason,
} from '@everturn/core/domain';
import type { LoopInstance, OpenPermissions, SessionOwner, StepIsolation, UsageTotals } from '@everturn/core/protocol';
import type { Assembly } from './assemble.ts';
import type { RowChanges, SessionRef } from './commit.ts';

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
  permissions?: Permissions;
}

export interface TurnResult {
  reason: TurnEndReason;
  /** Entries written to the log. */
  consumed: RequestId[];
  /** Entries a terminal stop or a cancel dropped. */
  discarded: RequestId[];
  instance: LoopInstance;
  usage: UsageTotals;
  highestAcknowledged: number;
  preview: string;
}

/** Signal of a session to its turn. */
export interface AbortTurn {
  cause: CancelCause;
}
