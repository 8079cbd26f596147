import type { RalphReport } from './ralph-report.ts';

/** How a loop is over. */
export type RalphEnd =
  | { status: 'complete' | 'blocked' | 'budget-limited'; rounds: number; report: RalphReport }
  /** With the last report that was good, if any was. */
  | { status: 'round-failed' | 'cancelled'; round: number; reason: string; last?: RalphReport };

/** What a good report means for its loop: another round, or how the loop has ended. */
export function afterRalphRound(input: { round: number; maxRounds: number; report: RalphReport }): 'next' | RalphEnd {
  const { round, maxRounds, report } = input;
  if (report.status !== 'continue') return { status: report.status, rounds: round, report };
  return round < maxRounds ? 'next' : { status: 'budget-limited', rounds: round, report };
}
