import { z } from 'zod';
import { DomainError } from './errors.ts';
import { explainIssues } from './explain-issues.ts';
import type { LlmFailure } from './failures.ts';

/** Longest wait Node's timers hold, in milliseconds. */
export const MAX_TIMER_MS = 2_147_483_647;

/** The strict shape of {@link LlmFailure}. */
export const LlmFailureSchema: z.ZodType<LlmFailure> = z.strictObject({
  message: z.string(),
  code: z.string().min(1),
  status: z.int().min(100).max(599).exactOptional(),
  providerRetryAfterMs: z.number().positive().exactOptional(),
  requestId: z.string().exactOptional(),
});

/** Builds a frozen failure; throws `DOMAIN_INVALID_FAILURE` naming the field that is out of range. */
export function llmFailure(fields: LlmFailure): LlmFailure {
  const result = LlmFailureSchema.safeParse(fields);
  if (!result.success) {
    throw new DomainError('DOMAIN_INVALID_FAILURE', explainIssues(result.error, 'failure'), { cause: result.error });
  }
  return Object.freeze({ ...fields });
}
