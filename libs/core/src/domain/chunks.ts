import type { ContentBlock } from './content.ts';
import type { LlmFailure } from './failures.ts';
import type { CallId } from './ids.ts';
import type { JsonValue } from './json.ts';

/** Disjoint counters, in tokens; prompt size = input + cacheRead + cacheWrite. */
export interface TokenUsage {
  /** Uncached input. */
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  /** A part of `outputTokens`. */
  reasoningTokens?: number;
  /** What the call cost by the prices of its route, in US dollars; absent where no price is configured. */
  costUsd?: number;
}

/** Why a model call ended. */
export type FinishReason =
  | { kind: 'stop' }
  | { kind: 'tool-calls' }
  | { kind: 'max-tokens' }
  | { kind: 'aborted'; failure: LlmFailure }
  | { kind: 'error'; failure: LlmFailure };

export type StreamedBlockType = 'text' | 'reasoning' | 'tool-call';

/** What an adapter yields while a model answers (closed union). */
export type StreamChunk =
  | { type: 'block-start'; index: number; blockType: StreamedBlockType }
  | { type: 'text-delta'; index: number; text: string }
  | { type: 'reasoning-delta'; index: number; text: string }
  | { type: 'tool-call-delta'; index: number; id: CallId; name?: string; argumentsDelta: string }
  | { type: 'block-end'; index: number; block: ContentBlock }
  | { type: 'usage'; usage: TokenUsage }
  | { type: 'finish'; reason: FinishReason; replayState?: JsonValue };
