import type { ProblemCode } from '../errors/problem.ts';
import type { RouteDescription } from '../http/describe.ts';
import { RequestReceipt } from '../schemas/receipt.ts';
import { idempotencyHeader } from './idempotency-key.ts';

/** A route that hands a request to the session and answers at once with its receipt. */
export const accepted = (
  summary: string,
  description?: string,
  ...refusals: readonly ProblemCode[]
): RouteDescription => ({
  summary,
  ...(description !== undefined && { description }),
  headers: [idempotencyHeader],
  answers: { 202: { description: 'accepted', schema: RequestReceipt } },
  refusals: [
    'INVALID_REQUEST',
    'SESSION_NOT_FOUND',
    'AGENT_BUSY',
    'SESSION_CLOSED',
    'SESSION_BROKEN',
    'IDEMPOTENCY_KEY_REUSED',
    'TEMPORAL_UNAVAILABLE',
    ...refusals,
  ],
});
