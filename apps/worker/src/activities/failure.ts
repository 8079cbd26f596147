import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { isDomainError } from '@everturn/core/domain';
import { ProjectionError } from '../projection/index.ts';

/**
 * The one way errors leave an activity. Permanent refusals of the log become non-retryable, named by their code;
 * everything else is infrastructure, which Temporal retries until it works.
 */
export function toActivityFailure(error: unknown): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const code = codeOf(error);
  const message = describeFailure(error);
  if (isPermanent(error)) return ApplicationFailure.nonRetryable(message, code);
  return ApplicationFailure.retryable(message, code ?? 'INFRASTRUCTURE');
}

/** A refusal of the log no repetition mends, or a value that is not what its schema says. */
function isPermanent(error: unknown): boolean {
  if (error instanceof ProjectionError) return !error.retryable;
  return isDomainError(error);
}

/** Runs an activity's body under the mapper. */
export async function failingAs<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw toActivityFailure(error);
  }
}

/** An error with its causes as one line: levels joined by `: `, members of an aggregate as `[a; b]`. */
export function describeFailure(error: unknown): string {
  const levels: string[] = [];
  const seen = new Set<unknown>();
  for (let level = error; level != null && !seen.has(level); level = level instanceof Error ? level.cause : undefined) {
    seen.add(level);
    const line = lineOf(level);
    if (line && line !== levels.at(-1)) levels.push(line);
  }
  return levels.join(': ') || 'unknown error';
}

/** An error's own code, when it is one of our words or of the system's. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[A-Z0-9][A-Z0-9_]*$/.test(error.code) ? error.code : undefined;
}

function lineOf(level: unknown): string {
  if (!(level instanceof Error)) return String(level);
  const members = level instanceof AggregateError ? `[${level.errors.map(describeFailure).join('; ')}]` : '';
  return [level.message || (members ? '' : level.name), members].filter(Boolean).join(' ');
}
