import type { VerifyReport } from '@everturn/worker/projection';
import { count, plural } from '../terminal/format.ts';
import { inertLine } from '../terminal/inert.ts';
import type { Style } from '../terminal/style.ts';

export interface VerifyLinesInput {
  session: string;
  report: VerifyReport;
  style: Style;
}

const MAX_PROBLEMS = 50;

/** What a check found, and what it could check against what. */
export function verifyLines({ session, report, style }: VerifyLinesInput): string[] {
  const { sound, problems, sealed, compared, unconfirmed, confirmedTo, lost } = report;
  const shown = problems.slice(0, MAX_PROBLEMS);
  const rest = problems.length - shown.length;
  return [
    `  ${sound ? style.green('✓ sound') : style.red(`✗ ${plural(problems.length, 'problem')}`)}  ${session}`,
    sealed.turns === 0
      ? '    sealed     no turn yet'
      : `    sealed     turns 1 to ${count(sealed.turns)} (events up to ${sealed.toSeq}): checked by the chain of seals`,
    `    histories  ${plural(compared, 'event')} above the seal compared with what the workflows recorded`,
    ...(unconfirmed === 0
      ? []
      : [
          `    open       ${plural(unconfirmed, 'event')} above ${confirmedTo} no history has confirmed: work in flight, or an author that was terminated`,
        ]),
    ...(lost.length === 0
      ? []
      : [
          style.yellow(
            `    lost       no seal covers them and their histories are gone: ${lost.map((run) => inertLine(run, 200)).join(', ')}`,
          ),
        ]),
    ...shown.map(({ seq, by, message }) =>
      style.red(`    ✗ ${seq === undefined ? '' : `event ${seq}, `}by ${by}: ${inertLine(message, 300)}`),
    ),
    ...(rest > 0 ? [`    and ${count(rest)} more; --json lists all`] : []),
    ...(sound ? [] : [`    → restore it with \`everturn log rebuild ${session}\`; rows below the seal need a backup`]),
  ];
}
