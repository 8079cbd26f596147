/** `CONFIG_INVALID`: a variable is missing or wrong. `CONFIG_FILE`: the providers file cannot be used. */
export type ConfigErrorCode = 'CONFIG_INVALID' | 'CONFIG_FILE';

/** The one error of this room; its message names each variable and what to do about it, and never a value. */
export class ConfigError extends Error {
  readonly code: ConfigErrorCode;

  constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigError';
    this.code = code;
  }
}
