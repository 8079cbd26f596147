import type {
  GenerateOptions,
  LlmModelContext,
  LlmModelInfo,
  ReasoningEffort,
  StreamChunk,
  TenantId,
} from '../domain/index.ts';

/**
 * Speaks one wire protocol to one provider route. `stream` is one attempt: it never retries, obeys
 * `options.signal`, ends with exactly one `finish`, and fails only by throwing an `LlmError` or by
 * `finish{error|aborted}`. Leaving the iteration early must close the connection.
 */
export interface LlmAdapter {
  /** The kind of adapter, not the route; replay state belongs to this and the route's digest. */
  readonly id: string;
  readonly name: string;
  stream(options: GenerateOptions): AsyncIterable<StreamChunk>;
  /** The advisory catalogue; a model that is not in it is passed through. */
  models(): readonly LlmModelInfo[];
  /** What a model can hold; `undefined` when unknown, never a guess. */
  context(model: string): LlmModelContext | undefined;
  /** What a model takes, listed or not; absent: text only. */
  input?(model: string): NonNullable<LlmModelInfo['input']>;
  /** The levels of thinking that can be asked for. */
  efforts?(): ReasoningEffort[];
  /** Asks the provider which models it serves, with the tenant's key where the deployment has none; throws `LlmError`. */
  discover?(tenant?: TenantId): Promise<LlmModelInfo[]>;
}
