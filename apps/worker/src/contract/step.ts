import type {
  Ack,
  AuthoredEvent,
  HookContext,
  LlmFailure,
  Permissions,
  RepeatCount,
  TokenUsage,
} from '@everturn/core/domain';
import type { AnswerRequest, SessionOwner } from '@everturn/core/protocol';
import type { Assembly } from './assemble.ts';
import type { RowChanges, SessionRef } from './commit.ts';

/** Everything one request and its tool batch need; state flows down as input and up as result. */
export interface StepInput extends SessionRef {
  turn: number;
  step: number;
  assembly: Assembly;
  /** The reason a `request/header` is owed for, if one is. */
  headerOwed?: 'initial' | 'resume' | 'change';
  /** The turn's events that no activity has acknowledged yet; the step's first activity carries them. */
  unacknowledged: AuthoredEvent[];
  highestAcknowledged: number;
  rows?: RowChanges;
  /** Whether the namespace knows our search attributes. */
  searchAttributes: boolean;
  /** The same call made again and again up to now. */
  repeats?: RepeatCount;
  /** A person spoke in this turn after it had begun. */
  spoken?: true;
  /** What its calls may do, until the turn says otherwise. */
  permissions?: Permissions;
  /** The agent the session works for, if it does: it is the one to ask. */
  owner?: SessionOwner;
}

/** How the step's request ended, and with it the step. */
export type StepOutcome =
  | { kind: 'message'; finish: 'stop' | 'tool-calls' | 'max-tokens'; calls: number; concludesTurn: boolean }
  | { kind: 'failure'; failure: LlmFailure }
  | { kind: 'error'; message: string; code?: string };

export interface StepResult {
  outcome: StepOutcome;
  /** Cancelled while it ran; `outcome` says how far it came. */
  aborted: boolean;
  /** Acknowledgements of the turn's events that came down with the input. */
  acks: Ack[];
  /** Written last and not yet acknowledged; the turn's next activity carries them. */
  pending: AuthoredEvent[];
  rows?: RowChanges;
  highestAcknowledged: number;
  usage?: TokenUsage;
  headerLogged: boolean;
  /** Where it is another than the step began with. */
  assembly?: Assembly;
  /** Contexts the batch deferred, in order; they follow its last result. */
  contexts: HookContext[];
  repeats?: RepeatCount;
  /** A person approved the plan. */
  plan?: 'approved';
  /** Registry version seen last; another than the assembly's asks for a new assembly. */
  registry: string;
  /** How many tokens the history may still gain, this step's results counted; absent where nobody counts. */
  room?: number;
  /** The answer's first words, for the UI. */
  preview: string;
  /** What came of the step in one line, for the UI; absent in histories of before it was told. */
  did?: string;
}

/** Sent to whatever workflow waits for a person. */
export type AnswerSignal = AnswerRequest;
