import type {
  CommandResult,
  Activation,
  ContentBlock,
  CreationFact,
  DelegationMode,
  GoalState,
  HookContext,
  KnobChange,
  KnobSwitch,
  LlmCallConfig,
  MaybeRef,
  Message,
  ModelChoice,
  MessageSource,
  OpenChildren,
  PermissionChange,
  PermissionFact,
  Permissions,
  QuestionAnswer,
  ReminderError,
  Reminders,
  RepeatCount,
  RequestId,
  SessionId,
  SessionQueue,
  StepKnobs,
  TenantId,
} from '../domain/index.ts';
import type { TeamCarry } from './ask-session.ts';
import type { StepIsolation } from './session-options.ts';

/** What starts `sessionWorkflow`; everything else about the session is read by `openLog`. */
export interface SessionInput {
  session: SessionId;
  tenant: TenantId;
  /** Prefix of the task queues, so that workflow code needs no environment. */
  queues: string;
  /** `resume` reopens a closed or broken log; `open` refuses a closed one. */
  intent: 'open' | 'resume';
  /** The agent this one works for, while it does; absent where a session is its own. */
  owner?: SessionOwner;
  carried?: SessionCarry;
}

/** Whom a session works for. */
export interface SessionOwner {
  session: SessionId;
  /** A `one-shot` child closes as soon as it has nothing left to do. */
  mode: DelegationMode;
}

/** What a session hands to its next run. */
export interface SessionCarry {
  generation: number;
  nextEvent: number;
  highestAcknowledged: number;
  turn: number;
  queue: SessionQueue;
  parked: boolean;
  instance: LoopInstance;
  recentRequests: RequestId[];
  usage: UsageTotals;
  isolation: StepIsolation;
  title: string;
  model: string;
  searchAttributes: boolean;
  /** Absent in lives that began before there were any. */
  permissions?: OpenPermissions;
  permissionUpdates?: PermissionUpdate[];
  /** Turns that ends of jobs began since a person last wrote. */
  wakes?: number;
  /** Asked for and not begun. */
  compaction?: RequestId;
  knobs?: StepKnobs;
  /** Absent in a session that never had one. */
  goal?: GoalState;
  /** Absent without any; an error where the log contradicts itself. */
  reminders?: Reminders | ReminderError;
  /** Messages to children that are not known to be dealt with. */
  children?: OpenChildren;
  /** Of an agent that stays with another; `dealtWith` by the lives before, of which its owner may not know. */
  activation?: Activation;
  dealtWith?: RequestId[];
  /** Who started such an agent and has closed since. */
  parent?: SessionId;
  /** Titles that no turn has written. */
  renames?: RenameSession[];
  /** Of a session that leads a team, which its log tells. */
  team?: TeamCarry;
}

/** What a session's tools may do, and what of it the log does not say yet. */
export interface OpenPermissions {
  now: Permissions;
  unwritten: CreationFact[];
}

/** A change of permissions that was taken and has not been written. */
export interface PermissionUpdate {
  requestId: RequestId;
  permissions: Permissions;
  facts: PermissionFact[];
  /** What the model is told. */
  notices: string[];
}

/** One driver lifetime: survives continue-as-new and worker restarts, not an explicit resume. */
export interface LoopInstance {
  /** What this instance's last `request/header` said; absent before the first. */
  header?: { digest: string; config: LlmCallConfig };
  /** Whether the log held a header before this instance began. */
  logHadHeader: boolean;
  /** The composed session prefix, once known. */
  prefix?: MaybeRef<Message[]>;
  /** The list of skills the model knows, and, once it has changed, the message that told so. */
  skills?: { digest?: string; told?: { content: MaybeRef<ContentBlock[]>; source: MessageSource } };
  startSource: 'startup' | 'resume';
  /** The same call made again and again; a message of a person begins anew. */
  repeats?: RepeatCount;
  /** Whether `agent/session-start` listeners have been told. */
  started: boolean;
}

export interface UsageTotals {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** In US dollars; absent while no call had a price. */
  costUsd?: number;
  steps: number;
  turns: number;
}

/** Before the first step. */
export const NO_USAGE: UsageTotals = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  steps: 0,
  turns: 0,
});

/** Update and signal `submitPrompt`: queue a message (`send`) or steer the running turn (`steer`). */
export interface SubmitPrompt {
  requestId: RequestId;
  mode: 'send' | 'steer';
  /** Steer only this turn, refuse another. */
  expectedTurn?: number;
  content: MaybeRef<ContentBlock[]>;
  source: MessageSource;
  /** First words, for the UI. */
  preview: string;
}
export interface PromptReceipt {
  requestId: RequestId;
  /** 0 = next to run, or -1 = handed to the running turn. */
  position: number;
}

/** Update and signal `inject`: add context without asking for a model run. */
export interface InjectContext extends Omit<HookContext, 'content'> {
  requestId: RequestId;
  content: MaybeRef<ContentBlock[]>;
}

/** Update and signal `cancel`: `clear` also empties the queues, `park` keeps them until the next prompt. */
export interface CancelRequest {
  requestId: RequestId;
  cause: 'user' | 'parent';
  queue: 'clear' | 'park';
}

/** Signal `withdraw` of whoever sent a message: it is not wanted any more, whether it waits or its turn runs. */
export interface WithdrawMessage {
  message: RequestId;
}

/** Update and signal `close`. */
export interface CloseRequest {
  requestId: RequestId;
  /** The agent it works for closes it, and need not be told. */
  by?: 'owner';
}

/** Update and signal `compact`: shorten the history now, while nothing runs or waits. */
export interface CompactRequest {
  requestId: RequestId;
}

/** Update and signal `rename`: what the session is called from now on, also while a turn runs. */
export interface RenameSession {
  requestId: RequestId;
  /** Normalised. */
  title: string;
}

/** Update and signal `setPermissions`: what tools may do from now on, also while a turn runs. */
export interface SetPermissions {
  requestId: RequestId;
  change: PermissionChange;
}

/** Update and signal `runCommand`: a person's command, whose id is that of its request. */
export interface RunCommand {
  requestId: RequestId;
  name: string;
  /** What follows the name, verbatim. */
  input: string;
  source: MessageSource;
  /** What the sender has answered already; the session only keeps it. */
  given?: CommandResult;
  /** The model that `/model` means. */
  model?: ModelChoice;
}

export interface CommandReceipt {
  commandId: RequestId;
  /** Absent: it stands in the log as `command/done` once it is known. */
  result?: CommandResult;
}

/** Update and signal `setKnobs`: plan mode or model, from the next step on where one runs. */
export interface SetKnobs {
  requestId: RequestId;
  change: KnobChange;
}

/** What became of it; absent in the answer to a request that was taken before. */
export interface KnobsReceipt {
  result?: KnobSwitch;
}

/** Update and signal `editQueued`: replace a queued message's content, or drop it (`content` absent). */
export interface EditQueued {
  requestId: RequestId;
  promptId: RequestId;
  content?: MaybeRef<ContentBlock[]>;
  preview?: string;
}

/** Update and signal `answer` of whatever workflow waits (a row of `interactions` names it). */
export interface AnswerRequest {
  requestId: RequestId;
  interactionId: string;
  answer: InteractionAnswer;
}

/** What a person may say: to an approval a decision, to a set of questions answers, or that they would rather not. */
export type InteractionAnswer =
  | { kind: 'approval'; decision: 'allow' | 'deny' }
  | { kind: 'answers'; answers: QuestionAnswer[] }
  | { kind: 'dismissal' };

/** Type names as Temporal sees them. */
export const SESSION_WORKFLOW = 'sessionWorkflow';
export const TURN_WORKFLOW = 'turnWorkflow';
export const STEP_WORKFLOW = 'stepWorkflow';
export const PROGRAM_WORKFLOW = 'programWorkflow';
export const RALPH_WORKFLOW = 'ralphWorkflow';
export const MAINTENANCE_WORKFLOW = 'maintenanceWorkflow';

/** How soon a worker that died with a task of a workflow is noticed; every workflow of a session is started with it. */
export const WORKFLOW_TASK_TIMEOUT_MS = 5_000;

/** Names of updates and of the signals that carry the same when no worker answers. */
export const SESSION_MESSAGES = [
  'submitPrompt',
  'inject',
  'cancel',
  'close',
  'editQueued',
  'setPermissions',
  'compact',
  'setKnobs',
  'reminders',
  'runCommand',
  'goal',
  'rename',
  'answer',
] as const;
export type SessionMessageName = (typeof SESSION_MESSAGES)[number];

/** Codes a session refuses a request with (an `ApplicationFailure`'s type). */
export type SessionRefusal =
  | 'QUEUE_FULL'
  | 'SESSION_CLOSED'
  | 'SESSION_BUSY'
  | 'TURN_MISMATCH'
  | 'PROMPT_NOT_QUEUED'
  | 'GOAL_REFUSED'
  | 'REMINDER_NOT_FOUND'
  | 'REMINDER_REFUSED'
  | 'INTERACTION_NOT_FOUND'
  | 'ALREADY_ANSWERED'
  | 'ANSWER_REFUSED';
