import type { ContentBlock, FinishReason, JsonValue, LlmFailureCode, TokenUsage } from '../../../domain/index.ts';
import type { LlmAdapter } from '../../llm-adapter.ts';

/** One event of a stream as it goes over the wire; a string goes out as it is, anything else as JSON. */
export interface Frame {
  event?: string;
  data: unknown;
}

/** What an answer comes to. */
export interface Outcome {
  content: ContentBlock[];
  finish: FinishReason;
  usage?: TokenUsage;
  replayState?: JsonValue;
}

/** An answer as a provider sends it, written after what it documents, and what it means. */
export interface Transcript {
  name: string;
  frames: Frame[];
  outcome: Outcome;
}

/** An answer that is no answer, and the failure it is. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
  failure: { code: LlmFailureCode; message: string; providerRetryAfterMs?: number; requestId?: string };
}

/** How faults are made in a protocol's frames; each returns new frames. */
export interface Surgery {
  /** How many frames at the end are more than a cut answer needs to count as whole. */
  ending: number;
  usageFirst(frames: Frame[]): Frame[];
  /** Pieces of later blocks first, each block's own in their order. */
  outOfOrder(frames: Frame[]): Frame[];
  finishedBy(frames: Frame[], reason: string): Frame[];
  /** An error as the protocol writes it in a stream and as a body, and as what it is taken. */
  error: { frame: Frame; body: unknown; code: LlmFailureCode; message: string };
}

/** What is recorded of one dialect. */
export interface Table {
  dialect: string;
  /** What is asked; tests compare the request, too. */
  path: string;
  adapter(origin: string): LlmAdapter;
  transcripts: Transcript[];
  refusals: Refusal[];
  surgery: Surgery;
}
