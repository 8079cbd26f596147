/** Every way the dev stack can refuse to go on; closed, so that a remedy exists for each. */
export type InfraErrorCode =
  | 'INFRA_ACCOUNT_MISSING'
  | 'INFRA_BAD_ARGUMENT'
  | 'INFRA_BOOTSTRAP_FAILED'
  | 'INFRA_BUNDLE_FAILED'
  | 'INFRA_NOT_READY'
  | 'INFRA_NO_PORT'
  | 'INFRA_PLATFORM_UNSUPPORTED'
  | 'INFRA_PORT_TAKEN'
  | 'INFRA_POSTGRES_FAILED'
  | 'INFRA_PROCESS_DIED'
  | 'INFRA_STILL_RUNNING'
  | 'INFRA_TOOL_MISSING';

const brand = Symbol.for('everturn.InfraError');

/** What the dev stack throws: a code to test for, and a message that ends with what to do about it. */
export class InfraError extends Error {
  readonly code: InfraErrorCode;
  readonly remedy: string;
  readonly [brand] = true;

  constructor(code: InfraErrorCode, what: string, remedy: string, cause?: unknown) {
    super(`${what}\n  → ${remedy}`, cause === undefined ? undefined : { cause });
    this.name = 'InfraError';
    this.code = code;
    this.remedy = remedy;
  }
}

/** Whether a thrown value is an InfraError, optionally one with this code. */
export function isInfraError(thrown: unknown, code?: InfraErrorCode): thrown is InfraError {
  if (typeof thrown !== 'object' || thrown === null || !(brand in thrown)) return false;
  // Branded, so it is one, though perhaps of another copy of this class.
  return code === undefined || (thrown as unknown as InfraError).code === code;
}
