import type { TurnEndReason } from '@everturn/core/domain';

/** Wrong arguments, as most programs say it. */
export const USAGE_STATUS = 2;
/** Ended by Ctrl-C, as shells say it. */
export const INTERRUPT_STATUS = 130;

/** What a run's exit status says about how its turn ended; kinds that packages add count as errors. */
export function exitStatusOf(reason: Pick<TurnEndReason, 'kind'>): number {
  switch (reason.kind) {
    case 'completed':
      return 0;
    case 'error':
      return 1;
    case 'max-tokens':
      return 3;
    case 'rejected':
      return 4;
    case 'interrupted':
      return 5;
    case 'disposed':
      return 6;
    case 'aborted':
      return 7;
    default:
      return 1;
  }
}

/** The same as text, for help. */
export const EXIT_STATUS_HELP = `
Exit status: 0 completed, 1 error, 2 wrong arguments, 3 cut at the token limit, 4 prompt rejected, 5 interrupted,
6 session closed, 7 cancelled by somebody else, 130 cancelled with Ctrl-C.`;
