import { ActivityFailure, ApplicationFailure, TemporalFailure } from '@temporalio/common';

/** Refusals by which a log says that this run may never write to it again. */
const FOR_GOOD: ReadonlySet<string> = new Set(['LOG_DIVERGED', 'LOG_FENCED', 'LOG_CLOSED']);

/** Whether the log refused for good, here or in a child; no retry and no other worker changes that. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof ActivityFailure) return error.cause instanceof ApplicationFailure;
  const refusal = refusalIn(error);
  return refusal !== undefined && FOR_GOOD.has(refusal);
}

function refusalIn(error: unknown): string | undefined {
  if (error instanceof ApplicationFailure && error.type) return error.type;
  return error instanceof TemporalFailure ? refusalIn(error.cause) : undefined;
}
