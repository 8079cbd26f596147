import type { FieldIssue, Problem, ProblemCode } from './problem.ts';

const STATUS: Record<ProblemCode, number> = {
  AGENT_BUSY: 409,
  ALREADY_ANSWERED: 409,
  ATTACHMENT_NOT_FOUND: 404,
  ANSWER_REFUSED: 400,
  BODY_TOO_LARGE: 413,
  COMMAND_ERROR: 400,
  CREDENTIAL_NOT_FOUND: 404,
  CREDENTIAL_REJECTED: 409,
  DATABASE_UNAVAILABLE: 503,
  DELIVERY_NOT_FOUND: 404,
  EMPTY_CONTENT: 400,
  FEEDBACK_NOTE_BLANK: 400,
  FEEDBACK_NOTE_TOO_LARGE: 400,
  FEEDBACK_TARGET_NOT_FOUND: 404,
  FEEDBACK_VERSION_CONFLICT: 409,
  GOAL_REFUSED: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IMPORT_BUSY: 429,
  IMPORT_REFUSED: 400,
  INSPECT_CLIENT_NOT_FOUND: 404,
  INSPECT_QUERY_NOT_FOUND: 404,
  INTERACTION_NOT_FOUND: 404,
  INTERNAL: 500,
  INVALID_CHARACTERS: 400,
  INVALID_CURSOR: 400,
  INVALID_JSON: 400,
  INVALID_LAST_EVENT_ID: 400,
  INVALID_REQUEST: 400,
  JOB_NOT_FOUND: 404,
  NO_BOUNDARY: 409,
  OPEN_TURN: 409,
  PROMPT_NOT_FOUND: 404,
  PROMPT_NOT_QUEUED: 409,
  PROVIDER_FAILED: 502,
  QUEUE_FULL: 429,
  REMINDER_NOT_FOUND: 404,
  REMINDER_REFUSED: 400,
  REQUEST_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  SCHEDULE_EXISTS: 409,
  SCHEDULE_NOT_FOUND: 404,
  SECRETS_KEY_MISSING: 503,
  SESSION_BROKEN: 409,
  SESSION_BUSY: 409,
  SESSION_CLOSED: 409,
  SESSION_EXISTS: 409,
  SESSION_NOT_FOUND: 404,
  SESSION_QUERY_INVALID_CURSOR: 400,
  SESSION_QUERY_INVALID_FILTER: 400,
  SESSION_QUERY_INVALID_LIMIT: 400,
  SESSION_QUERY_INVALID_QUERY: 400,
  SESSION_QUERY_STALE_CURSOR: 409,
  SESSION_REFERENCE_BUDGET_EXCEEDED: 400,
  SESSION_REFERENCE_INVALID_REFERENCE: 404,
  SESSION_REFERENCE_SELF_REFERENCE: 400,
  SESSION_REFERENCE_TOO_MANY: 400,
  SETTINGS_CONFLICT: 409,
  SETTINGS_NOT_FOUND: 404,
  SETTINGS_REJECTED: 400,
  SHUTTING_DOWN: 503,
  SUBAGENT_DELIVERY_UNAVAILABLE: 409,
  SUBAGENT_NOT_FOUND: 404,
  SUBAGENT_NOT_RESUMABLE: 409,
  SUBAGENT_PARENT_UNAVAILABLE: 409,
  SUBAGENT_UNAUTHORIZED: 403,
  TEMPORAL_UNAVAILABLE: 503,
  TERMINALS_OPEN: 409,
  TURN_MISMATCH: 409,
  UNAUTHENTICATED: 401,
  UNKNOWN_COMMAND: 400,
  UNKNOWN_MODEL: 400,
  UNKNOWN_PROVIDER: 400,
  UNKNOWN_TOOLSET: 400,
  UNSUPPORTED_CONTENT: 400,
  UNSUPPORTED_MEDIA_TYPE: 415,
  WEBHOOK_LIMIT: 409,
  WEBHOOK_NOT_FOUND: 404,
  WORKSPACE_NOT_ALLOWED: 400,
};

/** Seconds a client should wait before it tries again, for the codes where that helps. */
const RETRY_AFTER: Partial<Record<ProblemCode, number>> = {
  DATABASE_UNAVAILABLE: 2,
  TEMPORAL_UNAVAILABLE: 2,
  SHUTTING_DOWN: 2,
  IMPORT_BUSY: 5,
  QUEUE_FULL: 5,
};

interface ApiErrorInput {
  code: ProblemCode;
  /** For people; names the field at fault and the remedy, never a secret. */
  message: string;
  issues?: FieldIssue[];
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** The one error of this application; its code decides the HTTP status. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly details: Record<string, unknown>;

  constructor({ code, message, issues, details, cause }: ApiErrorInput) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = { ...details, ...(issues && { issues }) };
  }

  get status(): number {
    return STATUS[this.code];
  }

  /** Seconds for the `Retry-After` header, where a retry may help. */
  get retryAfter(): number | undefined {
    return RETRY_AFTER[this.code];
  }

  get problem(): Problem {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** The answer for a session that does not exist and for one of another tenant, which must not differ. */
export function sessionNotFound(session: string): ApiError {
  return new ApiError({ code: 'SESSION_NOT_FOUND', message: `no session "${session}"` });
}
