import type {
  ChildStop,
  ContentBlock,
  DelegationMode,
  JsonObject,
  LlmCallConfig,
  MaybeRef,
  MessageEntry,
  ModelWish,
  RequestId,
  SandboxMode,
  SessionId,
} from '@everturn/core/domain';
import type { DelegationRow, ToolErrorCode } from '@everturn/tools/kit';
import type { SessionRef } from './commit.ts';
import type { AdmittedJob, RunJobResult } from './job.ts';
import type { ProgramCall } from './program.ts';
import type { ToolOutcome } from './tool.ts';

/** What a child is made of; the parent's part is as it stands when the call starts. */
export interface PrepareChildInput extends SessionRef {
  child: SessionId;
  mode: DelegationMode;
  row: DelegationRow;
  label: string;
  prompt: MaybeRef<string>;
  /** The parent's own sampling, which a child has unless it is given another. */
  config: LlmCallConfig;
  /** The parent's sandbox mode. */
  sandbox?: SandboxMode;
  /** What the caller's model wants the child's to be; its session's policy decides. */
  wish?: ModelWish;
  /** What a script wants it to be, each part by itself. */
  route?: { provider?: string; model?: string };
  /** Its result is to be data of this shape. */
  outputSchema?: MaybeRef<JsonObject>;
  /** What it is called in its parent's team. */
  teammate?: string;
}
export type PrepareChildResult =
  | { kind: 'prepared'; preview: string; searchAttributes: boolean }
  | ({ kind: 'refused' } & ChildRefusal);

/** Why something cannot be done about a child. */
export interface ChildRefusal {
  code: ToolErrorCode;
  message: string;
}

export interface ReadChildInput extends SessionRef {
  child: SessionId;
  mode: DelegationMode;
  /** Whether its parent stopped it. */
  cancelled: boolean;
  /** How its workflow failed, if it did. */
  failure?: string;
}
export interface ReadChildResult {
  stop: ChildStop;
  /** Its last words if it completed, else an error that holds them. */
  content: MaybeRef<ContentBlock[]>;
}

export interface ReadAgentInput extends SessionRef {
  turn: number;
  step: number;
  /** The call of the program that the agent is. */
  call: { index: number; name: string };
  parent: ProgramCall;
  child: SessionId;
  cancelled: boolean;
}
export interface ReadAgentResult {
  /** As its claim keeps it: what the agent said or gave, `null` unless it completed. */
  outcome: ToolOutcome;
  stop: ChildStop;
}

/** A child that is to work in the background, for one call. */
export interface PrepareAgentJobInput extends PrepareChildInput {
  turn: number;
  step: number;
  call: { index: number };
  /** The call whose program makes it. */
  parent?: ProgramCall;
}
export type PrepareAgentJobResult =
  | { kind: 'prepared'; preview: string; searchAttributes: boolean; job: AdmittedJob }
  | ({ kind: 'refused' } & Pick<ChildRefusal, 'message'> & Partial<ChildRefusal>);

export interface EndAgentJobInput extends SessionRef {
  turn: number;
  step: number;
  call: { index: number; name: string };
  job: AdmittedJob;
  child: SessionId;
  cancelled: boolean;
  /** How its workflow failed, if it did. */
  failure?: string;
}

export interface DescribeEndInput extends SessionRef {
  owner: SessionId;
  epoch: number;
}

/** A child whose workflow is gone without a word. */
export interface LostChild {
  child: SessionId;
  notice: MessageEntry;
}

export interface SendMessageInput extends SessionRef {
  agent: string;
  message: string;
  requestId: RequestId;
  /** The agent the caller stays with. */
  owner?: SessionId;
}
type Refused = { kind: 'refused' } & ChildRefusal;
export type SendMessageResult =
  | { kind: 'taken' }
  /** It has to be started, and will find the message. */
  | { kind: 'inactive'; preview: string; searchAttributes: boolean }
  | Refused;

/** Activities about children that need Postgres and the registry. */
export interface ChildActivities {
  /** Writes the row and the first prompt of a child, or says why there can be none; repeating it changes nothing. */
  prepareChild(input: PrepareChildInput): Promise<PrepareChildResult>;
  /** What came of a child that has ended, by its own part of its log. */
  readChild(input: ReadChildInput): Promise<ReadChildResult>;
  /** What came of an agent of a script, kept as the answer to the call that it was. */
  readAgent(input: ReadAgentInput): Promise<ReadAgentResult>;
  /** The same, and gives the call a job; refused, neither is there. */
  prepareAgentJob(input: PrepareAgentJobInput): Promise<PrepareAgentJobResult>;
  /** Keeps what came of an agent as the end and the output of its job. */
  endAgentJob(input: EndAgentJobInput): Promise<RunJobResult & { stop: ChildStop }>;
  /** How an agent that stays with another has ended, as its owner's model is to read it. */
  describeEnd(input: DescribeEndInput): Promise<{ notice: MessageEntry; stop: ChildStop }>;
  /**
   * Which of these children were ended from outside and so will never say so, with what their owner's model is told; and
   * which of those that worked `earlier`, for a life of their owner or for themselves, have come to rest.
   */
  lostChildren(
    input: SessionRef & { children: SessionId[]; earlier?: SessionId[] },
  ): Promise<{ lost: LostChild[]; rested?: SessionId[] }>;
  /**
   * Keeps word of children that have settled before their owner's session acts on it; `absent`: one that does not run and
   * will find it, unless it has closed.
   */
  acceptNotices(input: SessionRef & { entries: MessageEntry[]; absent?: true }): Promise<void>;
  /** Hands a message to a child or to the agent this one works for; refused = it was not delivered. */
  sendMessage(input: SendMessageInput): Promise<SendMessageResult>;
  /** Whether the caller may interrupt an agent, and whether there is anything to interrupt. */
  mayInterrupt(input: SessionRef & { agent: string }): Promise<{ kind: 'interrupt' | 'nothing' } | Refused>;
  /** The agents below the caller, as its model reads them. */
  listAgents(input: SessionRef & { scope: 'children' | 'descendants' }): Promise<{ lines: string[] }>;
}
