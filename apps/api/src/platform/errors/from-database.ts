import { ApiError } from './api-error.ts';

/** SQLSTATE classes that say the server is not there or not ready, rather than that a statement is wrong. */
const UNAVAILABLE_STATES = /^(?:08|53|57P0|58|XX)/;
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/** `pg` gives these failures no code at all. */
const MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error/;

/** Postgres is unreachable or not accepting work; `undefined` when the error says something else. */
export function fromDatabase(error: unknown): ApiError | undefined {
  if (!isDatabaseOutage(error)) return undefined;
  return new ApiError({
    code: 'DATABASE_UNAVAILABLE',
    message: 'the database does not answer; nothing was accepted, try again',
    cause: error,
  });
}

/** Whether an error means that Postgres cannot be reached right now. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseOutage);
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') return SOCKET_CODES.has(code) || (code.length === 5 && UNAVAILABLE_STATES.test(code));
  return MESSAGES.test(error.message);
}
