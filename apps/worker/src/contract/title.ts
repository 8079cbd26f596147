import type { BlobRef, LlmFailure, TitleRequest, TokenUsage } from '@everturn/core/domain';
import type { ClaimKey } from './claims.ts';
import type { SessionRef } from './commit.ts';

/** Signal of a turn to its session: a person's message was answered, so a title may be asked for. */
export interface TitleDue {
  turn: number;
  step: number;
  /** The `EpochHeader` it was answered under. */
  header: BlobRef;
  /** The number of the message. */
  message: number;
}

export type PlanTitleInput = SessionRef & TitleDue;
export interface PlanTitleResult {
  /** Absent: there is nothing to ask about, or a person gave the title. */
  request?: TitleRequest;
}

export interface AskTitleInput extends SessionRef, TitleDue {
  claim: ClaimKey;
  request: TitleRequest;
}

export type TitleOutcome =
  | { kind: 'title'; title: string; usage?: TokenUsage }
  /** `usage`: what it cost all the same. */
  | { kind: 'failure'; failure: LlmFailure; usage?: TokenUsage };
export interface AskTitleResult {
  outcome: TitleOutcome;
}

export interface TitleActivities {
  /** Reads what people said and says what a title would be asked with. */
  planTitle(input: PlanTitleInput): Promise<PlanTitleResult>;
  /** One attempt at a title, never bought twice. */
  askTitle(input: AskTitleInput): Promise<AskTitleResult>;
}
