import { readGaps, readSeals } from '@everturn/core/postgres';
import { parseWorkflowId } from '@everturn/core/protocol';
import type { SessionRef } from '../contract/index.ts';
import { asProjectionError } from './errors.ts';
import { collectFacts } from './histories/collect-facts.ts';
import type { HistorySource } from './histories/collect-facts.ts';
import { expectedRows } from './histories/expected-rows.ts';
import type { Run, RunEnd } from './histories/walk-histories.ts';
import { seedOf, strayedSeed } from './plant-seed.ts';
import type { Projection } from './projection.ts';
import { brokenSeals } from './seal-chain.ts';
import { compareRows } from './verify/compare-rows.ts';
import { checkStoredLog } from './verify/stored-log.ts';

/** Something that is not as it must be. */
export interface LogProblem {
  /** Absent when it concerns no single event. */
  seq?: number;
  /** By what it was found: histories, the chain of seals, or the rows alone. */
  by: 'histories' | 'seals' | 'rows';
  message: string;
}

export interface VerifyInput extends Pick<SessionRef, 'tenant' | 'session'> {
  /** Called between histories, to beat. */
  progress?: () => void;
}

export interface VerifyReport {
  sound: boolean;
  problems: LogProblem[];
  /** Verified by the chain of seals. */
  sealed: { turns: number; toSeq: number };
  /** Verified against histories, above the seals. */
  compared: number;
  /** Rows whose number no history has heard of: work in flight, or an author that was terminated. */
  unconfirmed: number;
  /** Every number up to this one is confirmed. */
  confirmedTo: number;
  /** Runs whose histories are gone although no seal covers them. */
  lost: string[];
}

/** Compares a log with the histories above its last seal and with the chain of seals below it, and with its own rules. */
export async function verify(projection: Projection, source: HistorySource, input: VerifyInput): Promise<VerifyReport> {
  const { tenant, session, progress } = input;
  const key = { tenant, session };
  const [seals, gaps] = await asProjectionError(() =>
    Promise.all([readSeals(projection.database, key), readGaps(projection.database, key)]),
  );
  const seed = await seedOf(projection, key);
  const sealed = { turns: seals.at(-1)?.turn ?? 0, toSeq: seals.at(-1)?.toSeq ?? -1 };
  const { facts, runs } = await collectFacts(projection, source, {
    ...input,
    sealedTurn: sealed.turns,
  });
  // Of a seed no history of this session tells; the log it was copied from does.
  const above = Math.max(sealed.toSeq, (seed?.length ?? 0) - 1);
  const expected = await expectedRows(projection, { ...key, above }, facts);
  const compared = await compareRows(projection, { ...input, expected, facts, above });
  const strayed = seed ? await strayedSeed(projection, input, seed) : [];
  const problems: LogProblem[] = [
    ...(await brokenSeals(projection, key, seals, progress)).map(({ turn, toSeq }): LogProblem => {
      return { by: 'seals', seq: toSeq, message: `the rows of turn ${turn} are not those that were sealed` };
    }),
    ...compared.problems,
    ...strayed.map((seq): LogProblem => ({
      by: 'rows',
      seq,
      message: 'the seed differs from the log it was copied from',
    })),
    ...(await checkStoredLog(projection, { ...input, gaps })),
    ...unheard(runs, compared.unconfirmed),
  ];
  const { compared: count, unconfirmed, confirmedTo } = compared;
  const lost = runs.filter(({ end }) => end === 'lost').map(({ workflowId, runId }) => `${workflowId} ${runId ?? ''}`);
  return { sound: problems.length === 0, problems, sealed, compared: count, unconfirmed, confirmedTo, lost };
}

/** A session that ended by itself has heard of every number; one that runs or was terminated may not have. */
function unheard(runs: readonly (Run & { end: RunEnd })[], unconfirmed: number): LogProblem[] {
  // Jobs go on for themselves; they write no rows.
  const ends = runs.filter(({ workflowId }) => !parseWorkflowId(workflowId)?.job).map(({ end }) => end);
  const excused = ends.some((end) => end === 'running' || end === 'terminated' || end === 'failed' || end === 'lost');
  if (unconfirmed === 0 || excused) return [];
  return [
    { by: 'histories', message: `${unconfirmed} rows are in no history, although every workflow has ended by itself` },
  ];
}
