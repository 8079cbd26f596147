import type { JobId, JsonValue, SeqRange } from '@everturn/core/domain';
import type { Commit, Committed, SessionRef, WrittenEvent } from './commit.ts';
import type { SummaryOutcome } from './compaction.ts';
import type { JobEnd } from '@everturn/tools/kit';
import type { ModelOutcome } from './model.ts';
import type { TitleOutcome } from './title.ts';
import type { ToolOutcome } from './tool.ts';

/** What an effect means, never which attempt performs it: `t3.s2.model`, `t3.s2.c0`, `t3.s2.c0.4`, `hook:…`. */
export type ClaimKey = string;

/** The claim of a step's model call. */
export const modelClaim = (turn: number, step: number): ClaimKey => `t${turn}.s${step}.model`;
/** The claim of a step's tool call, by its place in the message. */
export const callClaim = (turn: number, step: number, index: number): ClaimKey => `t${turn}.s${step}.c${index}`;
/** The place in a step of a call that runs a program: `0`, or `0.3` of one that a program made. */
export const programPlace = ({ index, within }: ProgramPosition): string =>
  within === undefined ? `${index}` : `${within}.${index}`;
/** The name of such a call in its session. */
export const programName = (turn: number, step: number, call: ProgramPosition): `t${number}.s${number}.c${string}` =>
  `t${turn}.s${step}.c${programPlace(call)}`;
/** The claim of a call that a program made, by its number. */
export const subCallClaim = (turn: number, step: number, program: ProgramPosition, n: number): ClaimKey =>
  `${programName(turn, step, program)}.${n}`;
/** The claim of a call, whether the model or a program made it. */
export const placedClaim = ({ turn, step, call, parent }: CallPosition): ClaimKey =>
  parent ? subCallClaim(turn, step, parent, call.index) : callClaim(turn, step, call.index);

interface ProgramPosition {
  index: number;
  within?: number;
}
interface CallPosition {
  turn: number;
  step: number;
  call: { index: number };
  parent?: ProgramPosition | undefined;
}

/** The claim of one listener at an interception point. */
export const hookClaim = (author: string, point: string, subject = ''): ClaimKey =>
  `${author}.hook:${point}:${subject}`;

/** Where such a claim is asked: `t3`, `t3.s2`, `t3.s2.c0`. */
export const hookPlace = (claim: ClaimKey, point: string): string =>
  claim.replace(`.hook:${point}:`, '.c').replace(/\.c$/, '');

/** The claim of a summary of a history, by where it was due and how many came before it there. */
export const summaryClaim = (turn: number, step: number, n: number): ClaimKey => `t${turn}.s${step}.summary.${n}`;

/** The claim of a title that a message called for. */
export const titleClaim = (message: number): ClaimKey => `title.${message}`;

/** The claim of a background job. */
export const jobClaim = (job: JobId): ClaimKey => `job:${job}`;

/** An outcome as the ledger keeps it. It is JSON, which the compiler cannot know of an interface. */
export const recorded = (outcome: object): JsonValue => outcome as unknown as JsonValue;
/** The outcome under a model call's claim: nobody else writes there. */
export const modelOutcome = (outcome: JsonValue): ModelOutcome => outcome as unknown as ModelOutcome;
/** The outcome under a tool call's claim: nobody else writes there. */
export const toolOutcome = (outcome: JsonValue): ToolOutcome => outcome as unknown as ToolOutcome;

/** The outcome under a summary's claim: nobody else writes there. */
export const summaryOutcome = (outcome: JsonValue): SummaryOutcome => outcome as unknown as SummaryOutcome;

/** The outcome under a title's claim: nobody else writes there. */
export const titleOutcome = (outcome: JsonValue): TitleOutcome => outcome as unknown as TitleOutcome;

/** The outcome under a job's claim: nobody else writes there. */
export const jobEnd = (outcome: JsonValue): JobEnd => outcome as unknown as JobEnd;

export type Settlement =
  | {
      state: 'done';
      outcome: JsonValue;
      /** Events the holder wrote with it, and the chunk rows of its step: what a rebuild has to know. */
      written: WrittenEvent[];
      chunks: SeqRange[];
    }
  /** The claim was missing and is now closed: a late attempt finds it shut. */
  | { state: 'not-started' }
  | { state: 'unknown'; chunks: SeqRange[] };

export interface SettleInput extends SessionRef {
  claims: ClaimKey[];
  /**
   * What to do about a live lease: wait for its holder; tell the holder to stop, wait for the cancel grace, then take
   * over; or, after a grace that is over, take over at once.
   */
  live: 'wait' | 'cancel' | 'take-over';
  /** Absent for effects that belong to no log, such as jobs. */
  commit?: Commit;
}
export interface SettleResult extends Committed {
  settlements: Record<ClaimKey, Settlement>;
}

export interface SettleActivities {
  /** Closes claims for good after any activity or child failure; retried for ever. */
  settle(input: SettleInput): Promise<SettleResult>;
}
