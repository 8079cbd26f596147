import { isToolError, ToolError } from '../../kit/index.ts';
import type { Deadline } from '../../kit/deadline.ts';

export interface WebFailureInput {
  error: unknown;
  /** Who failed, for people. */
  what: string;
  deadline: Deadline;
  timeoutMs: number;
}

/** What a request failed with, as one of our errors: who stopped it counts before what that looked like. */
export function webFailure({ error, what, deadline, timeoutMs }: WebFailureInput): ToolError {
  const ours = ourError(error);
  if (ours) return ours;
  switch (deadline.firstCause()) {
    case 'deadline':
      return new ToolError('WEB_FETCH_TIMEOUT', `${what} did not come within ${timeoutMs} ms`);
    case 'caller':
      return new ToolError('WEB_ABORTED', 'the web request was aborted');
    case undefined:
      return new ToolError('WEB_PROVIDER_ERROR', `${what} could not be fetched: ${reasonOf(error)}`);
  }
}

/** Ours out of the wrappings of the client. */
function ourError(error: unknown): ToolError | undefined {
  for (let level = error; level instanceof Error; level = level.cause) if (isToolError(level)) return level;
  return undefined;
}

/** The innermost reason: the client's own words ("fetch failed") say nothing. */
function reasonOf(error: unknown): string {
  let level = error;
  while (level instanceof Error && level.cause instanceof Error) level = level.cause;
  if (level instanceof AggregateError) return level.errors.map(reasonOf).join('; ');
  return level instanceof Error ? level.message || level.name : String(level);
}
