import type {
  AssistantProvenance,
  BlobRef,
  ContentBlock,
  HookContext,
  HookInvoked,
  HookResult,
  LlmCallConfig,
  LlmFailure,
  MaybeRef,
  Message,
  MessageSource,
  SessionId,
} from '@everturn/core/domain';
import type { Commit, Committed, SessionRef } from './commit.ts';
import type { RequestedCall } from './model.ts';
import type { ToolOutcome } from './tool.ts';

/** One question to the listeners of one point, and what it is about. */
export type Interception =
  | { point: 'agent/session-start'; source: 'startup' | 'resume' }
  | { point: 'agent/prompt-submit'; content: MaybeRef<ContentBlock[]>; source: MessageSource }
  | { point: 'agent/session-prefix'; /** What the session's folder says. */ messages?: MaybeRef<Message[]> }
  | { point: 'agent/pre-step' }
  | { point: 'agent/request'; config: LlmCallConfig }
  | { point: 'agent/request-error'; failure: LlmFailure; priorFailures: LlmFailure[] }
  | { point: 'agent/step-result'; content: MaybeRef<ContentBlock[]>; provenance: AssistantProvenance; offer?: BlobRef }
  | { point: 'agent/post-step'; aborted: boolean }
  | { point: 'agent/turn-continuation'; decision: 'continue' | 'stop' }
  | { point: 'agent/turn-stop' }
  | { point: 'tools/pre-execute'; call: RequestedCall }
  | { point: 'tools/guard'; call: RequestedCall }
  | { point: 'tools/post-execute'; call: RequestedCall; outcome: ToolOutcome; /** Of a program. */ nested?: true }
  | { point: 'tools/result'; call: RequestedCall; outcome: ToolOutcome }
  | { point: 'session/flush' };

/** What the listeners of each point decide. */
export interface InterceptionDecisions {
  'agent/session-start': null;
  'agent/prompt-submit':
    | { action: 'allow'; content?: MaybeRef<ContentBlock[]>; additionalContexts?: HookContext[] }
    | { action: 'block'; reason: string };
  'agent/session-prefix': { messages: MaybeRef<Message[]> };
  'agent/pre-step': null;
  'agent/request': { config: LlmCallConfig };
  'agent/request-error': { action: 'fail' | 'retry' };
  'agent/step-result': { content: MaybeRef<ContentBlock[]>; replaced: boolean; calls: RequestedCall[] };
  'agent/post-step': null;
  'agent/turn-continuation':
    | { action: 'stop' }
    | { action: 'continue'; reason?: { content: ContentBlock[]; source: MessageSource } };
  'agent/turn-stop': { action: 'stop' } | { action: 'abstain' };
  'tools/pre-execute': { action: 'allow' } | { action: 'deny'; reason: string } | { action: 'ask'; reason?: string };
  'tools/guard': { action: 'pass' } | { action: 'deny'; reason: string };
  'tools/post-execute':
    | { action: 'accept'; content?: MaybeRef<ContentBlock[]>; additionalContexts?: HookContext[] }
    | { action: 'block'; feedback: ContentBlock[]; additionalContexts?: HookContext[] };
  'tools/result': null;
  'session/flush': null;
}

export interface InterceptInput extends SessionRef {
  turn: number;
  step: number;
  /** The session that the one which asks works for, if it is an agent's. */
  owner?: SessionId;
  /** What this point's call is claimed as; a point that ran once is not asked again. */
  claim: string;
  interception: Interception;
  /** ms until what listens is ended, because its turn was stopped before it was asked. */
  within?: number;
  commit: Commit;
}
export type InterceptResult = Committed & {
  registry: string;
  /** What external hooks did, in order; whoever asked writes it. */
  hooks?: HookRecord[];
  /** What listeners of a point that decides nothing have for the model. */
  contexts?: HookContext[];
} & (
    | { kind: 'decided'; decision: InterceptionDecisions[Interception['point']] }
    /** A listener threw; the point's own rule says what that means. */
    | { kind: 'threw'; message: string; code?: string }
  );

/** One run of an external hook, as the log tells it. */
export interface HookRecord {
  invoked: HookInvoked;
  result: HookResult;
}

export interface InterceptActivities {
  /** Asks the listeners of one point, in order. */
  intercept(input: InterceptInput): Promise<InterceptResult>;
}
