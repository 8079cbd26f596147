import type { JsonObject } from './json.ts';
import type { AttachmentId, SessionId, TenantId } from './ids.ts';
import type { Message } from './messages.ts';

/** A tool as a model sees it; `parameters` is a JSON Schema whose root is an object. */
export interface ToolSchema {
  name: string;
  description: string;
  parameters: JsonObject;
}

export type ReasoningEffort = 'off' | 'low' | 'medium' | 'high' | 'max';

/** Which model is called and how it samples. */
export interface LlmCallConfig {
  provider: string;
  model: string;
  temperature?: number;
  maxTokens?: number;
  stop?: string[];
  reasoningEffort?: ReasoningEffort;
}

/** What a request holds besides its history; empty optional parts are absent. */
export interface EpochHeader {
  config: LlmCallConfig;
  system?: string;
  tools?: ToolSchema[];
  messagePrefix?: Message[];
}

/** One call of an adapter, which is one attempt at the provider. */
export interface GenerateOptions extends LlmCallConfig {
  messages: Message[];
  system?: string;
  tools?: ToolSchema[];
  signal?: AbortSignal;
  /** Whose stored credentials may be used; never sent. */
  tenant?: TenantId;
  sessionId?: SessionId;
  purpose?: 'compaction' | 'session-title';
  /** The stored bytes of the pictures in `messages`, for a model that takes any; one that is missing is told as such. */
  attachments?: ReadonlyMap<AttachmentId, Uint8Array>;
}

/** Options an agent is created with; packages add options by declaration merging. */
export interface AgentOptions {
  provider?: string;
  model?: string;
  temperature?: number;
  maxTokens?: number;
  stop?: string[];
  reasoningEffort?: ReasoningEffort;
}

export interface LlmProviderInfo {
  id: string;
  name: string;
}
export interface LlmModelInfo {
  provider: string;
  id: string;
  name: string;
  description?: string;
  input?: ('text' | 'image')[];
}
/** `contextWindow` in tokens, a positive safe integer. */
export interface LlmModelContext {
  contextWindow: number;
}
