/** Why a registration or a plugin was refused; closed, so callers may switch on it. */
export type PluginErrorCode =
  | 'PLUGIN_DUPLICATE_NAME'
  | 'PLUGIN_INVALID_NAME'
  | 'PLUGIN_UNKNOWN_TOOL'
  | 'PLUGIN_UNKNOWN_TOOLSET'
  | 'PLUGIN_EMPTY_FILTER'
  | 'PLUGIN_INVALID_TEMPLATE'
  | 'PLUGIN_INVALID_TOOL_ORDER'
  | 'PLUGIN_NOT_LOADED'
  | 'PLUGIN_INVALID'
  | 'PLUGIN_SESSION_ENDED'
  | 'PLUGIN_TIMEOUT'
  | 'PLUGIN_HOOK_FAILED';

/** The one error of this room; `message` says what to change. */
export class PluginError extends Error {
  readonly code: PluginErrorCode;

  constructor(code: PluginErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PluginError';
    this.code = code;
  }
}
