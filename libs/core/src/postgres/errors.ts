/** What this room refuses; closed, so callers may switch on it. */
export type PostgresErrorCode =
  | 'POSTGRES_UNSUPPORTED'
  | 'POSTGRES_NOT_DIRECT'
  | 'POSTGRES_OTHER_DATABASE'
  | 'POSTGRES_MIGRATION_CHANGED'
  | 'POSTGRES_MIGRATION_FAILED'
  | 'POSTGRES_PAYLOAD_MISSING';

/** The one error of this room; `message` says what is wrong and what to do about it. Never holds a password. */
export class PostgresError extends Error {
  readonly code: PostgresErrorCode;

  constructor(code: PostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresError';
    this.code = code;
  }
}

/** What Postgres itself says of a failed statement; absent parts are undefined. */
export interface DatabaseFailure {
  /** SQLSTATE, or a system error such as `ECONNREFUSED`. */
  code?: string;
  constraint?: string;
  message: string;
}

/** Reads the parts of an error thrown by the driver. */
export function databaseFailure(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  return {
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
  };
}

/**
 * Whether the statement may have failed because the database or the way to it did: trying again later can help.
 * The statement itself may have been carried out.
 */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = databaseFailure(error);
  // The driver's own errors have no code.
  if (code === undefined) return /^(Connection |Query read timeout|timeout e|Client )/.test(message);
  // Connection lost (08), out of resources (53), shut down or starting (57P), deadlock and serialization (40).
  if (/^(08|53|57P|40)/.test(code)) return true;
  return /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(code);
}
