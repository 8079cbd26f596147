/** Every way the harness can refuse. */
export type TestingErrorCode =
  | 'TESTING_BUNDLE_FAILED'
  | 'TESTING_NOT_PROVIDED'
  | 'TESTING_PROCESS_FAILED'
  | 'TESTING_TIMEOUT';

const brand = Symbol.for('everturn.TestingError');

/** What the harness throws: a code, and a message that ends with what to do about it. */
export class TestingError extends Error {
  readonly code: TestingErrorCode;
  readonly [brand] = true;

  constructor(code: TestingErrorCode, what: string, remedy: string, cause?: unknown) {
    super(`${what}\n  → ${remedy}`, cause === undefined ? undefined : { cause });
    this.name = 'TestingError';
    this.code = code;
  }
}
