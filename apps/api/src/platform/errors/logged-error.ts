/** As deep as causes are told. */
const MAX_CAUSES = 5;

/** What the log says of an error. */
export interface LoggedError {
  type: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
}

/**
 * An error as the log keeps it: what went wrong, where, and why. Nothing else of it: libraries hang requests, rows and
 * headers on their errors, which hold what a log must not.
 */
export function loggedError(error: unknown, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'something was thrown that is no error' };
  const { name, message, stack, cause } = error;
  const { code } = error as Error & { code?: unknown };
  return {
    type: name,
    ...(typeof code === 'string' && { code }),
    message,
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && causes > 0 && { cause: loggedError(cause, causes - 1) }),
  };
}
