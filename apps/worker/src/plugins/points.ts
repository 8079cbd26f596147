import type {
  AssistantProvenance,
  CallId,
  ContentBlock,
  GenerateOptions,
  HookContext,
  JsonValue,
  LlmCallConfig,
  LlmFailure,
  Message,
  MessageSource,
  StreamChunk,
  ToolErrorInfo,
  ToolSchema,
} from '@everturn/core/domain';
import type { FileObservation, FileTarget, FileVersion, ToolExecutionResult, WriteIntent } from '@everturn/tools/kit';
import type { InterceptionPoint } from '../contract/index.ts';
import type { PromptSection } from './system-prompt.ts';

/** A tool call as listeners see it; `arguments` is the raw text when it is not JSON. */
export interface ObservedCall {
  callId: CallId;
  name: string;
  arguments: JsonValue;
}

/** A tool's result as listeners see it, before it is logged. */
export interface ObservedResult {
  content: ContentBlock[];
  isError: boolean;
  error?: ToolErrorInfo;
  meta?: JsonValue;
}

/** What the listeners of each point are told, and what they may decide; values are frozen and never references. */
export interface PointMap {
  'agent/session-start': { input: { source: 'startup' | 'resume' }; decision: void };
  'agent/prompt-submit': {
    input: { content: ContentBlock[]; source: MessageSource };
    decision:
      | { action: 'allow'; content?: ContentBlock[]; additionalContexts?: HookContext[] }
      | { action: 'block'; reason: string };
  };
  'agent/session-prefix': { input: { messages: readonly Message[] }; decision: readonly Message[] };
  'agent/pre-step': { input: object; decision: void };
  'agent/request': { input: { config: LlmCallConfig }; decision: LlmCallConfig };
  'agent/request-error': {
    input: { failure: LlmFailure; priorFailures: LlmFailure[] };
    decision: { action: 'fail' | 'retry' };
  };
  'agent/step-result': {
    input: { content: ContentBlock[]; provenance: AssistantProvenance };
    decision: ContentBlock[];
  };
  'agent/post-step': { input: { aborted: boolean }; decision: void };
  'agent/turn-continuation': {
    input: { decision: 'continue' | 'stop' };
    decision: { action: 'stop' } | { action: 'continue'; reason?: { content: ContentBlock[]; source: MessageSource } };
  };
  'agent/turn-stop': { input: object; decision: { action: 'stop' } | undefined };
  'tools/pre-execute': {
    input: { call: ObservedCall };
    decision: { action: 'allow' } | { action: 'deny'; reason: string } | { action: 'ask'; reason?: string };
  };
  /** A guard: the first reason returned denies, and no guard can grant. */
  'tools/guard': { input: { call: ObservedCall }; decision: string | undefined };
  'tools/post-execute': {
    input: { call: ObservedCall; result: ObservedResult };
    decision:
      | { action: 'accept'; content?: ContentBlock[]; additionalContexts?: HookContext[] }
      | { action: 'block'; feedback: ContentBlock[]; additionalContexts?: HookContext[] };
  };
  'tools/result': { input: { call: ObservedCall; result: ObservedResult }; decision: void };
  'session/flush': { input: object; decision: void };
  /** The sections and tools of a request, before templates are filled; what comes out is what is sent. */
  'system-prompt/assemble': {
    input: { sections: readonly PromptSection[]; tools: readonly ToolSchema[]; config: LlmCallConfig; cwd?: string };
    decision: { sections: readonly PromptSection[]; tools: readonly ToolSchema[] };
  };
  /** Around one attempt at a provider. */
  'llm/stream': { input: { options: GenerateOptions }; decision: AsyncIterable<StreamChunk> };
  /** Around a tool's body; `next` may be given a further signal, and the call's own can never be lost. */
  'tools/execute': { input: { call: ObservedCall }; decision: ToolExecutionResult };
  /** What must hold for a write; nothing = whatever is there is replaced. A throw refuses it. */
  'fs/write-intent': { input: FileQuestion; decision: WriteIntent | undefined };
  /** The version an edit was made for; nothing = any. A throw refuses it. */
  'fs/edit-intent': { input: FileQuestion; decision: FileVersion | undefined };
  /** A tool looked at a file, or changed it: a throw fails the call, and what was done stays done. */
  'fs/observed': { input: { file: FileTarget; seen: FileObservation }; decision: void };
}

/** A file about to be changed, and what the session saw of it last, if it ever looked. */
export interface FileQuestion {
  file: FileTarget;
  last?: FileObservation;
}

/** Every point there is; those that are no `InterceptionPoint` are asked inside activities. */
export type ListenPoint = keyof PointMap;

/** How a point asks its listeners. */
export type PointMode =
  /** Each listener wraps the next; what the outermost returns counts. */
  | 'waterfall'
  /** One after another; the first that returns something ends it. */
  | 'serial'
  /** One after another, whatever they return; the first failure ends it. */
  | 'sequence'
  /** All are told; a failing one is contained. */
  | 'emit'
  /** All are awaited; the first failure counts after all ran. */
  | 'flush';

/** The mode of every point. */
export const POINT_MODES: Record<ListenPoint, PointMode> = {
  'agent/session-start': 'emit',
  'agent/prompt-submit': 'waterfall',
  'agent/session-prefix': 'waterfall',
  'agent/pre-step': 'sequence',
  'agent/request': 'waterfall',
  'agent/request-error': 'waterfall',
  'agent/step-result': 'waterfall',
  'agent/post-step': 'sequence',
  'agent/turn-continuation': 'waterfall',
  'agent/turn-stop': 'serial',
  'tools/pre-execute': 'waterfall',
  'tools/guard': 'serial',
  'tools/post-execute': 'waterfall',
  'tools/result': 'emit',
  'session/flush': 'flush',
  'system-prompt/assemble': 'waterfall',
  'llm/stream': 'waterfall',
  'tools/execute': 'waterfall',
  'fs/write-intent': 'waterfall',
  'fs/edit-intent': 'waterfall',
  'fs/observed': 'sequence',
};

const ASKED_IN_ACTIVITIES: ReadonlySet<ListenPoint> = new Set<Exclude<ListenPoint, InterceptionPoint>>([
  'system-prompt/assemble',
  'llm/stream',
  'tools/execute',
  'fs/write-intent',
  'fs/edit-intent',
  'fs/observed',
]);

/** Whether workflow code asks at this point. */
export function isInterceptionPoint(point: ListenPoint): point is InterceptionPoint {
  return !ASKED_IN_ACTIVITIES.has(point);
}
