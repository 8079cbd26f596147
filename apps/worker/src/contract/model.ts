import type {
  AssistantProvenance,
  AuthoredDataOf,
  BlobRef,
  CallId,
  ContentBlock,
  EscalationRequest,
  LlmFailure,
  MaybeRef,
  SeqRange,
  SessionEventType,
  TokenUsage,
} from '@everturn/core/domain';
import type { CalledTool } from './assemble.ts';
import type { Commit, Committed, SessionRef, WrittenEvent } from './commit.ts';

export interface StreamModelInput extends SessionRef {
  turn: number;
  step: number;
  /** The `EpochHeader` of this request. */
  header: BlobRef;
  /** The `Offer` its calls are among. */
  offer?: BlobRef;
  /** Digest of the registry the caller planned with. */
  registry: string;
  /** With a step-result listener the message is stored in the claim only; the step appends it. */
  message: 'append' | 'hold';
  commit: Commit;
}

/** An event that its call brings along, large members possibly by reference. */
export type AnnouncedEvent = { [T in SessionEventType]: { type: T; data: AuthoredDataOf<T> } }[SessionEventType];

/** A tool call of the message, classified by the worker that knows the tool. */
export interface RequestedCall {
  index: number;
  callId: CallId;
  name: string;
  arguments: MaybeRef<string>;
  concurrency: 'parallel' | 'exclusive';
  /** What the call asks beyond the session's sandbox mode, where its tool lets it ask. */
  escalation?: EscalationRequest;
  /** It asks to run as a job. */
  background?: true;
  /** What is offered under its name; absent: nothing, or all of it is in the assembly. */
  tool?: CalledTool;
  /** What the log is to have of it before it is dispatched; absent = nothing. */
  announced?: AnnouncedEvent[];
  /** Why the call cannot run as it stands (cut-off or unparsable arguments); its text is the result. */
  invalid?: string;
}

export type ModelOutcome =
  | {
      kind: 'success';
      finish: 'stop' | 'tool-calls' | 'max-tokens';
      content: MaybeRef<ContentBlock[]>;
      provenance: AssistantProvenance;
      usage?: TokenUsage;
      calls: RequestedCall[];
      /** The answer's first words, for the UI. */
      preview: string;
      /** How many tokens the history may still gain before it is to be shortened; absent where it never is. */
      room?: number;
    }
  /** `usage`: what the provider counted all the same. */
  | { kind: 'failure'; failure: LlmFailure; usage?: TokenUsage }
  | { kind: 'aborted' };

export interface StreamModelResult extends Committed {
  outcome: ModelOutcome;
  chunks: SeqRange[];
  /** The `assistant/message` when the activity wrote it. */
  written: WrittenEvent[];
  registry: string;
}

export interface ModelActivities {
  /** One attempt at the provider: commits, claims, derives the history, streams, records. */
  streamModel(input: StreamModelInput): Promise<StreamModelResult>;
}
