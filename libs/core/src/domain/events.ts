import type { StreamChunk, TokenUsage } from './chunks.ts';
import type { ContentBlock } from './content.ts';
import type { LlmFailure, ToolErrorInfo } from './failures.ts';
import type { CallId, EventId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { AssistantProvenance, MessageSource } from './messages.ts';
import type { EpochHeader } from './requests.ts';

/** Why a turn opened, keyed by `kind`; packages add kinds by declaration merging. */
export interface TurnTriggerMap {
  message: { kind: 'message'; source: MessageSource };
  injection: { kind: 'injection'; source: MessageSource };
}
export type TurnTrigger = TurnTriggerMap[keyof TurnTriggerMap];

/** How a turn ended, keyed by `kind`; packages add kinds by declaration merging. */
export interface TurnEndReasonMap {
  completed: { kind: 'completed' };
  aborted: { kind: 'aborted' };
  error: { kind: 'error'; step: number } & ({ failure: LlmFailure } | { message: string; code?: string });
  disposed: { kind: 'disposed' };
  'max-tokens': { kind: 'max-tokens' };
  rejected: { kind: 'rejected'; reason: string };
  interrupted: { kind: 'interrupted' };
}
export type TurnEndReason = TurnEndReasonMap[keyof TurnEndReasonMap];

export type TodoStatus = 'pending' | 'in_progress' | 'completed';
export interface Todo {
  content: string;
  status: TodoStatus;
}

/** Payload of every session event, keyed by type; packages add types by declaration merging. */
export interface SessionEventMap {
  'turn/start': { turn: number; trigger: TurnTrigger };
  'turn/end': { turn: number; reason: TurnEndReason };
  'step/start': { turn: number; step: number };
  'step/end': { turn: number; step: number };
  'user/message': { content: ContentBlock[]; source: MessageSource };
  'prompt/blocked': { content: ContentBlock[]; source: MessageSource; reason: string };
  'context/message': { content: ContentBlock[]; source: MessageSource; meta?: JsonValue };
  'steering/message': { turn: number; content: ContentBlock[]; source: MessageSource };
  'assistant/chunk': { turn: number; step: number; chunk: StreamChunk };
  'assistant/message': {
    turn: number;
    step: number;
    content: ContentBlock[];
    provenance: AssistantProvenance;
    usage?: TokenUsage;
  };
  'tool/call': { turn: number; step: number; callId: CallId; name: string; arguments: string };
  'tool/result': {
    turn: number;
    step: number;
    callId: CallId;
    content: ContentBlock[];
    isError: boolean;
    error?: ToolErrorInfo;
    meta?: JsonValue;
  };
  'todo/write': { todos: Todo[] };
  /** Files handed to the person, in order. */
  'web/deepseek-search-llm-request': { endpoint: string; apiVersion: string; body: JsonValue };
  'deliverables/presented': { turn: number; callId: CallId; files: { path: string; description?: string }[] };
  'request/header': { header: EpochHeader; reason: 'initial' | 'resume' | 'change' };
  'llm/retry': {
    turn: number;
    step: number;
    retry: number;
    maxRetries: number;
    delayMs: number;
    failure: LlmFailure;
  };
  'approval/asked': { id: string; toolName: string; callId?: CallId; reason?: string };
  'approval/decided': { id: string; outcome: ApprovalOutcome };
}
export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable';
export type SessionEventType = keyof SessionEventMap;

/** Which events can become model messages; packages add types by declaration merging. */
export interface SurfaceEventMap {
  'user/message': true;
  'assistant/message': true;
  'tool/result': true;
  'context/message': true;
  'steering/message': true;
}
export type SurfaceEventType = keyof SurfaceEventMap & SessionEventType;

/** Where a surface event stands: at the end, or in place of the current nodes `start`…`end` (by seq, positional). */
export type SurfaceOp = 'append' | { op: 'replace'; start: number; end: number };

type Surface<T extends SessionEventType> = T extends SurfaceEventType
  ? { surfaceOp: SurfaceOp; sourceEventSeqs?: number[] }
  : { surfaceOp?: never; sourceEventSeqs?: never };

/** One event as readers see it. `time` in epoch ms, never before its predecessor's; `seq` dense from 0. */
export type SessionEventOf<T extends SessionEventType> = {
  type: T;
  seq: number;
  time: number;
  data: SessionEventMap[T];
  /** Lets a reader that does not know the type skip the event instead of refusing the log. */
  ignorable?: true;
} & Surface<T>;
export type SessionEvent = { [T in SessionEventType]: SessionEventOf<T> }[SessionEventType];
export type SurfaceEvent = { [T in SurfaceEventType]: SessionEventOf<T> }[SurfaceEventType];

/** An inclusive range of sequence numbers. */
export interface SeqRange {
  from: number;
  to: number;
}
/** A source of a surface event: by name while it may have no number yet, or by numbers. */
export type SourceRef = EventId | SeqRange;
export type AuthoredSurfaceOp = 'append' | { op: 'replace'; start: EventId | number; end: EventId | number };
