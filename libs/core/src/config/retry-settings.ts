import type { z } from 'zod';
import type { providerFields } from './schema.ts';

/** What a deployment says about retries of failed model calls; what it leaves out is the default. Durations in ms. */
export interface RetrySettings {
  maxTransientRetries?: number;
  initialDelayMs?: number;
  maxDelayMs?: number;
}

/** The part of the environment about retries. */
export function retrySettings(env: z.output<z.ZodObject<typeof providerFields>>): RetrySettings {
  const { EVERTURN_RETRY_LIMIT, EVERTURN_RETRY_INITIAL_DELAY_MS, EVERTURN_RETRY_MAX_DELAY_MS } = env;
  return {
    ...(EVERTURN_RETRY_LIMIT !== undefined && { maxTransientRetries: EVERTURN_RETRY_LIMIT }),
    ...(EVERTURN_RETRY_INITIAL_DELAY_MS !== undefined && { initialDelayMs: EVERTURN_RETRY_INITIAL_DELAY_MS }),
    ...(EVERTURN_RETRY_MAX_DELAY_MS !== undefined && { maxDelayMs: EVERTURN_RETRY_MAX_DELAY_MS }),
  };
}
