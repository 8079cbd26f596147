import { assertNever } from '../assert-never.ts';
import type { RalphEnd } from './after-round.ts';
import type { RalphReport } from './ralph-report.ts';

const CUT = '… [truncated]';

/** What a model reads of a loop that is over; in characters, the mark of a cut included. */
export function ralphText(end: RalphEnd, { maxResultChars }: { maxResultChars: number }): string {
  const whole = tell(end);
  if (whole.length <= maxResultChars) return whole;
  const head = whole.slice(0, Math.max(0, maxResultChars - CUT.length));
  return `${head.replace(/[\uD800-\uDBFF]$/, '')}${CUT}`.slice(-maxResultChars);
}

/** Whether it ended as loops should: with a report, whatever that says. */
export const isReported = (end: RalphEnd): end is Extract<RalphEnd, { report: RalphReport }> => 'report' in end;

function tell(end: RalphEnd): string {
  switch (end.status) {
    case 'complete':
      return reported(`Ralph reported completion after ${rounds(end.rounds)}.`, end.report);
    case 'blocked':
      return reported(`Ralph reported a blocker after ${rounds(end.rounds)}.`, end.report);
    case 'budget-limited':
      return reported(`Ralph reached its ${end.rounds}-round limit with work remaining.`, end.report);
    case 'round-failed':
      return interrupted(`Ralph round ${end.round} failed: ${end.reason}`, end.last);
    case 'cancelled':
      return interrupted(`Ralph was cancelled in round ${end.round}: ${end.reason}`, end.last);
    default:
      return assertNever(end);
  }
}

const rounds = (count: number): string => `${count} round${count === 1 ? '' : 's'}`;
const shown = (report: RalphReport): string => JSON.stringify(report, undefined, 2);
const reported = (headline: string, report: RalphReport): string => `${headline}\nFinal report:\n${shown(report)}`;
const interrupted = (headline: string, last: RalphReport | undefined): string =>
  last ? `${headline}\nLast successful handoff:\n${shown(last)}` : `${headline}\nThere is no previous handoff.`;
