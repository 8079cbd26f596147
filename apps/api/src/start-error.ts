/** Why the API does not start. */
export type StartErrorCode = 'API_NOT_LOOPBACK' | 'API_PORT_TAKEN';

/** The API cannot start as configured; `message` says what to change. */
export class StartError extends Error {
  readonly code: StartErrorCode;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.code = code;
  }
}
