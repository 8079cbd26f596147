import { z } from 'zod';

/** Every code an error body may carry; closed, so clients may switch on it. */
export const ProblemCode = z.enum([
  'ALREADY_ANSWERED',
  'ATTACHMENT_NOT_FOUND',
  'ANSWER_REFUSED',
  'BODY_TOO_LARGE',
  'COMMAND_ERROR',
  'CREDENTIAL_NOT_FOUND',
  'CREDENTIAL_REJECTED',
  'DATABASE_UNAVAILABLE',
  'DELIVERY_NOT_FOUND',
  'EMPTY_CONTENT',
  'GOAL_REFUSED',
  'IDEMPOTENCY_KEY_REUSED',
  'IMPORT_REFUSED',
  'INSPECT_CLIENT_NOT_FOUND',
  'INSPECT_QUERY_NOT_FOUND',
  'INTERACTION_NOT_FOUND',
  'INTERNAL',
  'INVALID_CHARACTERS',
  'INVALID_CURSOR',
  'INVALID_JSON',
  'INVALID_LAST_EVENT_ID',
  'INVALID_REQUEST',
  'JOB_NOT_FOUND',
  'NO_BOUNDARY',
  'OPEN_TURN',
  'PROMPT_NOT_FOUND',
  'PROMPT_NOT_QUEUED',
  'PROVIDER_FAILED',
  'QUEUE_FULL',
  'REMINDER_NOT_FOUND',
  'REMINDER_REFUSED',
  'REQUEST_NOT_FOUND',
  'ROUTE_NOT_FOUND',
  'SCHEDULE_EXISTS',
  'SCHEDULE_NOT_FOUND',
  'SECRETS_KEY_MISSING',
  'SESSION_BROKEN',
  'SESSION_BUSY',
  'SESSION_CLOSED',
  'SESSION_EXISTS',
  'SESSION_NOT_FOUND',
  'SESSION_QUERY_INVALID_CURSOR',
  'SESSION_QUERY_INVALID_FILTER',
  'SESSION_QUERY_INVALID_LIMIT',
  'SESSION_QUERY_INVALID_QUERY',
  'SESSION_QUERY_STALE_CURSOR',
  'SESSION_REFERENCE_BUDGET_EXCEEDED',
  'SESSION_REFERENCE_INVALID_REFERENCE',
  'SESSION_REFERENCE_SELF_REFERENCE',
  'SESSION_REFERENCE_TOO_MANY',
  'SETTINGS_CONFLICT',
  'SETTINGS_NOT_FOUND',
  'SETTINGS_REJECTED',
  'SHUTTING_DOWN',
  'TEMPORAL_UNAVAILABLE',
  'TERMINALS_OPEN',
  'TURN_MISMATCH',
  'UNAUTHENTICATED',
  'UNKNOWN_COMMAND',
  'UNKNOWN_MODEL',
  'UNKNOWN_PROVIDER',
  'UNKNOWN_TOOLSET',
  'UNSUPPORTED_CONTENT',
  'UNSUPPORTED_MEDIA_TYPE',
  'WEBHOOK_LIMIT',
  'WEBHOOK_NOT_FOUND',
  'WORKSPACE_NOT_ALLOWED',
]);
export type ProblemCode = z.infer<typeof ProblemCode>;

/** One field at fault, named from the outside in: `body.content[0].text`. */
export const FieldIssue = z.strictObject({ field: z.string(), message: z.string() });
export type FieldIssue = z.infer<typeof FieldIssue>;

/** The body of every answer that is not a success; `details.issues` names each field at fault. */
export const Problem = z
  .strictObject({
    code: ProblemCode,
    message: z.string(),
    details: z.looseObject({ issues: z.array(FieldIssue).optional() }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
