import type { AuthoredDataOf, BlobRef, ContentBlock, LlmFailure, Shadow, TokenUsage } from '@everturn/core/domain';
import type { ClaimKey } from './claims.ts';
import type { Commit, Committed, SessionRef } from './commit.ts';

/** Why a history is to become shorter: it fills the window, it did not fit, or somebody asked. */
export type CompactionTrigger = 'pressure' | 'overflow' | 'manual';

export interface PlanCompactionInput extends SessionRef {
  trigger: CompactionTrigger;
  /** The `EpochHeader` of the session's requests. */
  header: BlobRef;
  /** How many summaries this occasion has brought. */
  summaries: number;
  /** How many requests of this turn did not fit before. */
  priorOverflows: number;
  /** The step that has not ended. */
  open?: { turn: number; step: number };
  commit: Commit;
}

/** A long result and its shorter copy. */
export interface ResultCopy {
  seq: number;
  /** What the original costs. */
  tokens: number;
  data: AuthoredDataOf<'tool/result'>;
}

/** What is to be done about a history now. */
export type CompactionPlan =
  /** `vain`: it is due, but summaries have not helped. */
  { kind: 'enough'; vain?: true } | { kind: 'prune'; copies: ResultCopy[] } | { kind: 'sum-up'; span: Shadow };
export type PlanCompactionResult = Committed & {
  plan: CompactionPlan;
  /** After a request that did not fit: what is too big, for people. */
  tooBig?: string;
};

export interface SummarizeInput extends SessionRef {
  turn: number;
  step: number;
  claim: ClaimKey;
  header: BlobRef;
  span: { start: number; end: number; nodes: number; tokens: number };
  commit: Commit;
}

export type SummaryOutcome =
  | {
      kind: 'summary';
      summary: ContentBlock[];
      provider: string;
      model: string;
      maxTokens: number;
      usage?: TokenUsage;
    }
  /** `usage`: what it cost all the same. */
  | { kind: 'failure'; failure: LlmFailure; usage?: TokenUsage }
  | { kind: 'aborted' };
export type SummarizeResult = Committed & { outcome: SummaryOutcome };

export interface CompactionActivities {
  /** Looks at the history as it stands in the log and says what makes it shorter, if anything has to. */
  planCompaction(input: PlanCompactionInput): Promise<PlanCompactionResult>;
  /** One attempt at a summary of the history's beginning. */
  summarize(input: SummarizeInput): Promise<SummarizeResult>;
}
