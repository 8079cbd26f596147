import type {
  ChildStop,
  ContentBlock,
  DelegationMode,
  LlmCallConfig,
  MaybeRef,
  MessageEntry,
  RequestId,
  SandboxMode,
  SessionId,
} from '@everturn/core/domain';
import type { DelegationRow, ToolErrorCode } from '@everturn/tools/kit';
import type { SessionRef } from './commit.ts';

/** What a child is made of; the parent's part is as it stands when the call starts. */
export interface PrepareChildInput extends SessionRef {
  child: SessionId;
  mode: DelegationMode;
  row: DelegationRow;
  label: string;
  prompt: string;
  /** The parent's own sampling, which a child has unless it is given another. */
  config: LlmCallConfig;
  /** The parent's sandbox mode. */
  sandbox?: SandboxMode;
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

export interface DescribeEndInput extends SessionRef {
  owner: SessionId;
  epoch: number;
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
  /** How an agent that stays with another has ended, as its owner's model is to read it. */
  describeEnd(input: DescribeEndInput): Promise<{ notice: MessageEntry }>;
  /** Keeps word of children that have settled before their owner's session acts on it. */
  acceptNotices(input: SessionRef & { entries: MessageEntry[] }): Promise<void>;
  /** Hands a message to a child or to the agent this one works for; refused = it was not delivered. */
  sendMessage(input: SendMessageInput): Promise<SendMessageResult>;
  /** Whether the caller may interrupt an agent, and whether there is anything to interrupt. */
  mayInterrupt(input: SessionRef & { agent: string }): Promise<{ kind: 'interrupt' | 'nothing' } | Refused>;
  /** The agents below the caller, as its model reads them. */
  listAgents(input: SessionRef & { scope: 'children' | 'descendants' }): Promise<{ lines: string[] }>;
}
