/** What the domain refuses; closed, so callers may switch on it. */
export type DomainErrorCode =
  | 'DOMAIN_NOT_JSON'
  | 'DOMAIN_UNKNOWN_VARIANT'
  | 'DOMAIN_DUPLICATE_VARIANT'
  | 'DOMAIN_INVALID_EVENT'
  | 'DOMAIN_INVALID_SURFACE'
  | 'DOMAIN_INVALID_ENCLOSURE'
  | 'DOMAIN_INVALID_ACK'
  | 'DOMAIN_INVALID_BLOCK'
  | 'DOMAIN_INVALID_FAILURE'
  | 'DOMAIN_INVALID_OPTIONS'
  | 'DOMAIN_CORRUPT_LOG';

const BRAND = Symbol.for('everturn.DomainError');

/** The one error of this room; `message` names the field at fault and what to do about it. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;

  constructor(code: DomainErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DomainError';
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognises a {@link DomainError} of any realm: the workflow sandbox has its own copy of the class. */
export function isDomainError(error: unknown): error is DomainError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
