import { describe, expect, test } from 'vitest';
import type { LlmFailure } from './failures.ts';
import { DEFAULT_RETRY, nextRetry } from './retry-policy.ts';

const failed = (code: string, providerRetryAfterMs?: number): LlmFailure => ({
  code,
  message: code,
  ...(providerRetryAfterMs !== undefined && { providerRetryAfterMs }),
});
const retry = (failure: LlmFailure, prior: string[] = [], random01 = 0.5, config = DEFAULT_RETRY) =>
  nextRetry({ config, failure, priorFailures: prior.map((code) => failed(code)), random01 });

describe('nextRetry', () => {
  test('doubles the delay, within jitter and ceiling', () => {
    expect(retry(failed('SERVER'))).toEqual({ kind: 'retry', retry: 1, maxRetries: 2, delayMs: 500 });
    expect(retry(failed('SERVER'), ['TIMEOUT'])).toEqual({ kind: 'retry', retry: 2, maxRetries: 2, delayMs: 1000 });
    expect(retry(failed('SERVER'), [], 0)).toMatchObject({ delayMs: 450 });
    expect(retry(failed('SERVER'), [], 0.999_999)).toMatchObject({ delayMs: 550 });
    const long = { ...DEFAULT_RETRY, maxTransientRetries: 99 };
    expect(
      retry(
        failed('SERVER'),
        Array.from({ length: 60 }, () => 'SERVER'),
        0.9,
        long,
      ),
    ).toMatchObject({ delayMs: 10_000 });
  });

  test('counts its own codes only', () => {
    expect(retry(failed('RATE_LIMIT'), ['CONTEXT_WINDOW_EXCEEDED', 'SERVER'])).toMatchObject({ retry: 2 });
    expect(retry(failed('RATE_LIMIT'), ['SERVER', 'EMPTY_RESPONSE'])).toEqual({ kind: 'fail' });
    expect(retry(failed('AUTH'))).toEqual({ kind: 'fail' });
    expect(retry(failed('CONTEXT_WINDOW_EXCEEDED'))).toEqual({ kind: 'fail' });
  });

  test('waits what the provider asks, or not at all if that is too long', () => {
    expect(retry(failed('RATE_LIMIT', 7000.2))).toMatchObject({ delayMs: 7001 });
    expect(retry(failed('RATE_LIMIT', 10_000))).toMatchObject({ delayMs: 10_000 });
    expect(retry(failed('RATE_LIMIT', 10_001))).toEqual({ kind: 'fail' });
  });

  test('never exceeds what a timer holds', () => {
    const config = { ...DEFAULT_RETRY, maxDelayMs: Number.MAX_SAFE_INTEGER, initialDelayMs: 2 ** 40 };
    expect(retry(failed('SERVER'), [], 0.9, config)).toMatchObject({ delayMs: 2_147_483_647 });
  });
});
