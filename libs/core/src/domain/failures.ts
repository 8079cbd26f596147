/** Why a model call failed; policies route on `code`, never on `message`. */
export interface LlmFailure {
  message: string;
  code: LlmFailureCode;
  /** HTTP status, 100–599. */
  status?: number;
  /** What the provider asked us to wait, > 0. */
  providerRetryAfterMs?: number;
  requestId?: string;
}

export type LlmFailureCode =
  | 'AUTH'
  | 'QUOTA'
  | 'RATE_LIMIT'
  | 'CONTEXT_WINDOW_EXCEEDED'
  | 'INVALID_REQUEST'
  | 'SERVER'
  | 'TRANSPORT'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'STREAM_CLOSED'
  | 'MALFORMED_RESPONSE'
  | 'EMPTY_RESPONSE'
  | 'NO_ADAPTER'
  | 'DUPLICATE_ADAPTER'
  | 'INVALID_ADAPTER'
  | 'INVALID_CATALOG'
  | 'INVALID_MODEL_CONTEXT'
  | 'UNKNOWN_MODEL'
  | 'UNSUPPORTED_OPTION'
  | 'INVALID_REPLAY_STATE'
  | 'MISSING_CREDENTIAL'
  | 'INVALID_CREDENTIAL'
  | 'UNSUPPORTED_REASONING_EFFORT'
  | 'UNSUPPORTED_CONTENT'
  | 'REGISTRATION_DISPOSED'
  | 'UNKNOWN'
  | `HTTP_${number}`
  | (string & {});

/** The name and code of a structured tool error, as the log keeps it. */
export interface ToolErrorInfo {
  name: string;
  code: string;
}
