import type { MaybeRef } from './blob.ts';
import type { ContentBlock } from './content.ts';
import type { MessageSource } from './messages.ts';

/** What is said to the model as steering when a listener keeps the turn going. */
export interface ContinuationReason {
  content: MaybeRef<ContentBlock[]>;
  source: MessageSource;
}

/** Whether a turn goes on after a step, as listeners decide it. */
export type ContinuationDecision = { kind: 'stop' } | { kind: 'continue'; reason?: ContinuationReason };

/** What a step left behind. */
export interface StepSummary {
  /** Calls that were executed; an answer cut off at the token limit has none. */
  toolCalls: number;
  /** Steering messages written after the batch. */
  steered: number;
}

/** The decision listeners start from: go on exactly if the model has something new to read. */
export function defaultContinuation({ toolCalls, steered }: StepSummary): ContinuationDecision {
  return toolCalls > 0 || steered > 0 ? { kind: 'continue' } : { kind: 'stop' };
}

export interface NextContinuationInput {
  decision: ContinuationDecision;
  /** Steering that waits now, a continuation's reason not included. */
  pendingSteering: number;
  /** A turn-stop listener said stop, or a tool concluded the turn. */
  terminalStop: 'requested' | 'none';
}
export type NextContinuation =
  | { kind: 'continue' }
  /** `discard` drops waiting steering for good; `keep` lets what arrives late become queued messages. */
  | { kind: 'stop'; steering: 'discard' | 'keep' };

/** Combines the decision, waiting steering and a terminal stop, which wins over both. */
export function nextContinuation({ decision, pendingSteering, terminalStop }: NextContinuationInput): NextContinuation {
  if (terminalStop === 'requested') return { kind: 'stop', steering: 'discard' };
  if (decision.kind === 'continue' || pendingSteering > 0) return { kind: 'continue' };
  return { kind: 'stop', steering: 'keep' };
}
