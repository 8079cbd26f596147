/** Every way the command line can refuse to go on; closed, so that each has an exit status. */
export type CliErrorCode =
  | 'CLI_USAGE'
  | 'CLI_NOT_CONFIGURED'
  | 'CLI_UNREACHABLE'
  | 'CLI_REFUSED'
  | 'CLI_BAD_ANSWER'
  | 'CLI_FILE';

interface CliErrorInput {
  code: CliErrorCode;
  /** What is wrong, without the remedy. */
  what: string;
  /** What to do about it. */
  remedy: string;
  cause?: unknown;
}

/** What the command line throws: printed as one line, `what: remedy`, and never with a secret. */
export class CliError extends Error {
  readonly code: CliErrorCode;

  constructor({ code, what, remedy, cause }: CliErrorInput) {
    super(`${what} → ${remedy}`, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.code = code;
  }
}

/** The API's refusal, as its problem body says it; `code` is the API's. */
export class ApiRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor({ code, message, status }: { code: string; message: string; status: number }) {
    super(message);
    this.name = 'ApiRefusal';
    this.code = code;
    this.status = status;
  }
}
