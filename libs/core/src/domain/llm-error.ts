import type { LlmFailure } from './failures.ts';
import { llmFailure } from './llm-failure.ts';

const BRAND = Symbol.for('everturn.LlmError');

/** How an adapter's stream fails by throwing; only this class is trusted to classify a failure. */
export class LlmError extends Error {
  readonly failure: LlmFailure;

  constructor(fields: LlmFailure, options?: ErrorOptions) {
    super(fields.message, options);
    this.name = 'LlmError';
    this.failure = llmFailure(fields);
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognises an {@link LlmError} of any realm; a foreign error that merely carries a `code` is none. */
export function isLlmError(error: unknown): error is LlmError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
