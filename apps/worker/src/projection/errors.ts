import { databaseFailure, isUnavailable } from '@everturn/core/postgres';

/** What this room refuses; closed, so callers may switch on it. */
export type ProjectionErrorCode =
  /** An event's name is taken by other content. */
  | 'LOG_DIVERGED'
  /** The database knows less than the author: it was restored or failed over. Nothing is written until a rebuild. */
  | 'LOG_BEHIND'
  /** The author belongs to a life of the session that recovery has ended. */
  | 'LOG_FENCED'
  /** The event may not stand where it would. */
  | 'LOG_ENCLOSURE'
  /** Sources or bounds of a replacement are not what they must be. */
  | 'LOG_SURFACE'
  /** An event names another one that is not in the log. */
  | 'LOG_UNRESOLVED'
  | 'LOG_TURN_NOT_OPEN'
  | 'LOG_TURN_CLOSED'
  | 'LOG_CLOSED'
  | 'LOG_MISSING'
  | 'CLAIM_LOST'
  | 'BLOB_MISSING'
  /** Rows and histories differ, so that a seal would make a falsehood permanent. */
  | 'SEAL_REFUSED'
  /** Histories hold too little to rebuild from. */
  | 'REBUILD_IMPOSSIBLE'
  /** The database is away, or the way to it is. */
  | 'PROJECTION_UNAVAILABLE'
  | 'PROJECTION_FAILED';

/** Whether trying the same again can help. */
const RETRYABLE: Record<ProjectionErrorCode, boolean> = {
  LOG_DIVERGED: false,
  LOG_BEHIND: true,
  LOG_FENCED: false,
  LOG_ENCLOSURE: false,
  LOG_SURFACE: false,
  LOG_UNRESOLVED: false,
  LOG_TURN_NOT_OPEN: true,
  LOG_TURN_CLOSED: false,
  LOG_CLOSED: false,
  LOG_MISSING: false,
  CLAIM_LOST: false,
  BLOB_MISSING: false,
  SEAL_REFUSED: false,
  REBUILD_IMPOSSIBLE: false,
  PROJECTION_UNAVAILABLE: true,
  PROJECTION_FAILED: true,
};

const REMEDIES: Partial<Record<ProjectionErrorCode, string>> = {
  LOG_BEHIND: 'run `everturn log rebuild` for the session',
  LOG_DIVERGED: 'run `everturn session recover` for the session',
  LOG_MISSING: 'open the log first, or run `everturn log rebuild` if there was one',
};

/** The one error of this room. */
export class ProjectionError extends Error {
  readonly code: ProjectionErrorCode;
  /** Whether trying the same again can help. */
  readonly retryable: boolean;

  constructor(code: ProjectionErrorCode, message: string, options?: ErrorOptions) {
    const remedy = REMEDIES[code];
    super(remedy === undefined ? message : `${message}; ${remedy}`, options);
    this.name = 'ProjectionError';
    this.code = code;
    this.retryable = RETRYABLE[code];
  }
}

/** SQLSTATE of refusals by our own functions, which put their code where a constraint's name stands. */
const REFUSED = 'EV001';

/** Runs statements and turns what the database says into a {@link ProjectionError}. */
export async function asProjectionError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProjectionError) throw error;
    throw toProjectionError(error);
  }
}

/** Names a refusal of our own SQL functions by its code. */
export function refusal(code: string, message: string, cause?: unknown): ProjectionError {
  return new ProjectionError(code in RETRYABLE ? (code as ProjectionErrorCode) : 'PROJECTION_FAILED', message, {
    cause,
  });
}

function toProjectionError(error: unknown): ProjectionError {
  const { code, constraint, message } = databaseFailure(error);
  if (code === REFUSED && constraint !== undefined) return refusal(constraint, message, error);
  if (isUnavailable(error)) {
    return new ProjectionError('PROJECTION_UNAVAILABLE', `the database does not answer: ${message}`, { cause: error });
  }
  return new ProjectionError('PROJECTION_FAILED', `the database refused a statement: ${message}`, { cause: error });
}
