import type { LlmFailure } from './failures.ts';
import { MAX_TIMER_MS } from './llm-failure.ts';

/** How transient model failures are retried. Durations in ms. */
export interface RetryConfig {
  maxTransientRetries: number;
  initialDelayMs: number;
  maxDelayMs: number;
  /** 0–1: how far a delay may stray to either side. */
  jitterRatio: number;
  /** Only failures with these codes are this policy's, and only they use up its budget. */
  retryableCodes: readonly string[];
}

/** What holds where nothing else is configured. */
export const DEFAULT_RETRY: RetryConfig = Object.freeze({
  maxTransientRetries: 2,
  initialDelayMs: 500,
  maxDelayMs: 10_000,
  jitterRatio: 0.1,
  retryableCodes: Object.freeze(['RATE_LIMIT', 'SERVER', 'TIMEOUT', 'TRANSPORT', 'EMPTY_RESPONSE']),
});

export interface NextRetryInput {
  config: RetryConfig;
  failure: LlmFailure;
  /** Failures of the turn since its last successful model call, this one not included. */
  priorFailures: readonly LlmFailure[];
  /** From the caller's deterministic source, in [0, 1). */
  random01: number;
}
/** `fail` leaves the failure to other policies, or ends the turn. */
export type RetryDecision = { kind: 'retry'; retry: number; maxRetries: number; delayMs: number } | { kind: 'fail' };

/** Whether a failed model request is tried again in a new step, and after how long. */
export function nextRetry({ config, failure, priorFailures, random01 }: NextRetryInput): RetryDecision {
  const owns = ({ code }: LlmFailure) => config.retryableCodes.includes(code);
  const retry = 1 + priorFailures.filter(owns).length;
  if (!owns(failure) || retry > config.maxTransientRetries) return { kind: 'fail' };
  const ceiling = Math.min(config.maxDelayMs, MAX_TIMER_MS);
  const { providerRetryAfterMs } = failure;
  // Waiting less than the provider asked would only be refused again.
  if (providerRetryAfterMs !== undefined && providerRetryAfterMs > ceiling) return { kind: 'fail' };
  const delayMs = Math.ceil(providerRetryAfterMs ?? backoff(config, retry, ceiling, random01));
  return { kind: 'retry', retry, maxRetries: config.maxTransientRetries, delayMs };
}

function backoff(
  { initialDelayMs, jitterRatio }: RetryConfig,
  retry: number,
  ceiling: number,
  random01: number,
): number {
  const delay = Math.min(initialDelayMs * 2 ** (retry - 1), ceiling);
  return Math.min(Math.round(delay * (1 + jitterRatio * (2 * random01 - 1))), ceiling);
}
