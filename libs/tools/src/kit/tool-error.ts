import { GOAL_ERRORS, TEAM_ERRORS, type ToolErrorInfo } from '@everturn/core/domain';

const named = <C extends string, N extends string>(codes: readonly C[], name: N) =>
  Object.fromEntries(codes.map((code) => [code, name])) as Record<C, N>;

/** Every code a structured tool error can carry, and the error name the log shows with it. */
const NAMES = {
  UNKNOWN_TOOL: 'ToolNotFoundError',
  INVALID_ARGS: 'ToolArgsError',
  INVALID_TOOL_OUTPUT: 'ToolOutputError',
  ABORTED: 'AbortError',
  ABORTED_BEFORE_DISPATCH: 'AbortError',
  TOOL_TIMEOUT: 'ToolTimeoutError',
  TOOL_NOT_STARTED: 'ToolNotStartedError',
  TOOL_OUTCOME_UNKNOWN: 'ToolOutcomeUnknownError',
  TOOL_HOST_GONE: 'ToolHostGoneError',
  TOOL_STATE_LOST: 'ToolStateLostError',
  NO_BACKEND: 'TerminalError',
  DUPLICATE_NAME: 'TerminalError',
  TOO_MANY_TERMINALS: 'TerminalError',
  NO_SESSION: 'TerminalError',
  SEND_ACTIVE: 'TerminalError',
  OWNER_NOT_LIVE: 'ResourceError',
  SERVICE_DISPOSING: 'ResourceError',
  SANDBOX_UNAVAILABLE: 'SandboxUnavailableError',
  WORKSPACE_NOT_ALLOWED: 'WorkspaceError',
  FS_SANDBOX_DENIED: 'FileError',
  CODE_RUN_FAILED: 'CodeRunError',
  FS_NOT_FOUND: 'FileError',
  FS_NOT_TEXT: 'FileError',
  FS_NOT_REGULAR_FILE: 'FileError',
  FS_NOT_DIRECTORY: 'FileError',
  FS_NOT_OBSERVED: 'FileError',
  FS_STALE_VERSION: 'FileError',
  FS_EDIT_NOT_FOUND: 'FileError',
  FS_AMBIGUOUS_EDIT: 'FileError',
  FS_TOO_LARGE: 'FileError',
  FS_ABORTED: 'FileError',
  FS_PERMISSION_DENIED: 'FileError',
  FS_IO_ERROR: 'FileError',
  IMAGE_TOO_LARGE: 'ImageError',
  IMAGE_TOO_MANY_PIXELS: 'ImageError',
  IMAGE_DIMENSION_TOO_LARGE: 'ImageError',
  IMAGE_TYPE_MISMATCH: 'ImageError',
  IMAGE_NOT_ENCODABLE: 'ImageError',
  INVALID_IMAGE: 'ImageError',
  EMPTY_QUESTIONS: 'AskError',
  BAD_INTENT: 'AskError',
  DELEGATED_CALLER: 'AskError',
  NO_PROVIDER: 'AskError',
  ASK_ABORTED: 'AskError',
  ASK_CANCELLED: 'AskError',
  DELEGATION_DEPTH: 'SubagentError',
  DUPLICATE_CHILD: 'SubagentError',
  UNAUTHORIZED: 'SubagentError',
  NOT_RESUMABLE: 'SubagentError',
  ACTIVATION_CLOSING: 'SubagentError',
  DRAINING: 'SubagentError',
  UNSUPPORTED_CAPABILITY: 'SubagentError',
  CANCELLED: 'SubagentError',
  PARENT_UNAVAILABLE: 'SubagentError',
  UNKNOWN_TOOLS: 'SubagentError',
  MODEL_NOT_ALLOWED: 'SubagentError',
  WORKFLOW_FAILED: 'WorkflowError',
  WORKFLOW_CANCELLED: 'WorkflowError',
  RALPH_FAILED: 'RalphError',
  RALPH_CANCELLED: 'RalphError',
  SEARCH_INVALID_PATTERN: 'SearchError',
  SEARCH_FAILED: 'SearchError',
  SEARCH_RAW_OUTPUT_OVERFLOW: 'SearchError',
  SEARCH_ABORTED: 'SearchError',
  LSP_WORKSPACE_REQUIRED: 'LspError',
  LSP_UNAVAILABLE: 'LspError',
  LSP_UNSUPPORTED_OPERATION: 'LspError',
  LSP_MALFORMED_RESPONSE: 'LspError',
  LSP_DISPOSED: 'LspError',
  LSP_CONFLICT: 'LspError',
  LSP_INVALID_PROVIDER: 'LspError',
  INSPECT_UNAVAILABLE: 'InspectError',
  INSPECT_UNKNOWN_PROVIDER: 'InspectError',
  INSPECT_UNKNOWN_METHOD: 'InspectError',
  INSPECT_INVALID_INPUT: 'InspectError',
  INSPECT_INVALID_OUTPUT: 'InspectError',
  INSPECT_NO_ANSWER: 'InspectError',
  PLUGINS_UNAVAILABLE: 'PluginsError',
  SESSION_QUERY_EVENT_NOT_FOUND: 'SessionQueryError',
  SESSION_QUERY_INVALID_CURSOR: 'SessionQueryError',
  SESSION_QUERY_INVALID_FILTER: 'SessionQueryError',
  SESSION_QUERY_INVALID_LIMIT: 'SessionQueryError',
  SESSION_QUERY_INVALID_LINEAGE: 'SessionQueryError',
  SESSION_QUERY_INVALID_QUERY: 'SessionQueryError',
  SESSION_QUERY_INVALID_WINDOW: 'SessionQueryError',
  SESSION_QUERY_SESSION_NOT_FOUND: 'SessionQueryError',
  SESSION_QUERY_STALE_CURSOR: 'SessionQueryError',
  SESSION_QUERY_TOOL_FAILED: 'SessionQueryError',
  SESSION_QUERY_TOOL_MISSING_AGENT: 'SessionQueryError',
  SESSION_QUERY_TOOL_NO_CURRENT_STEP: 'SessionQueryError',
  SESSION_QUERY_TOOL_UNAUTHORIZED: 'SessionQueryError',
  WEB_INVALID_URL: 'WebError',
  WEB_BLOCKED_URL: 'WebError',
  WEB_REDIRECT_BLOCKED: 'WebError',
  WEB_UNSUPPORTED_CONTENT_TYPE: 'WebError',
  WEB_FETCH_TOO_LARGE: 'WebError',
  WEB_FETCH_TIMEOUT: 'WebError',
  WEB_ABORTED: 'WebError',
  WEB_PROVIDER_ERROR: 'WebError',
  WEB_PROVIDER_UNAVAILABLE: 'WebError',
  WEB_PROVIDER_AMBIGUOUS: 'WebError',
  WEB_PROVIDER_CONFIGURED_MISSING: 'WebError',
  WEB_PROVIDER_CONFIGURED_UNAVAILABLE: 'WebError',
  WEB_PROVIDER_CREDENTIAL_MISSING: 'WebError',
  WEB_DUPLICATE_PROVIDER: 'WebError',
  ...named(TEAM_ERRORS, 'TeamError'),
  ...named(GOAL_ERRORS, 'GoalError'),
} as const satisfies Record<string, string>;

export type ToolErrorCode = keyof typeof NAMES;

const BRAND = Symbol.for('everturn.ToolError');

/** A failure of a call that policies may route on by `code`; the message says what to do about it. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;
  constructor(code: ToolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = NAMES[code];
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true }); // survives the workflow sandbox, where classes differ
  }
}

/** Tells our structured errors from foreign ones, across realms. */
export function isToolError(error: unknown): error is ToolError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** What the log keeps of an error: name and code of ours, nothing of a foreign one that merely has a `code`. */
export function toolErrorInfo(error: unknown): ToolErrorInfo | undefined {
  return isToolError(error) ? { name: error.name, code: error.code } : undefined;
}
