import type { ReasoningEffort } from '../../domain/index.ts';

/** A key that leaves only here; whatever holds it must not print. */
export interface Revealable {
  reveal(): string;
}

/** A kind of content a model takes. */
export type ModelInput = 'text' | 'image';

/** How one OpenAI-compatible endpoint is reached and what it understands. */
export interface OpenAiChatConfig {
  /** The provider id of the route. */
  provider: string;
  name: string;
  dialect: 'openai' | 'deepseek' | 'scripted';
  /** Without the last slash; `/chat/completions` is added. */
  baseUrl: string;
  /** The variable that says so, for whoever cannot reach it. */
  baseUrlFrom?: string;
  /** Absent = the endpoint wants none. */
  apiKey?: Revealable;
  models: readonly {
    id: string;
    name?: string;
    contextWindow?: number;
    maxTokens?: number;
    input?: readonly ModelInput[];
  }[];
  /** What every model of the route holds that does not say so itself, in tokens. */
  contextWindow?: number;
  /** What every model of the route takes that does not say so itself; default: text only. */
  input?: readonly ModelInput[];
  headers?: Readonly<Record<string, string>>;
  /** What each level is called on the wire; a level that is not listed is refused. */
  reasoningEfforts?: Readonly<Partial<Record<ReasoningEffort, string>>>;
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** How long the provider may send nothing while we read, in ms. */
  streamIdleTimeoutMs: number;
  /** How long it may send keep-alives only, in ms. */
  streamSilenceLimitMs: number;
  proxy?: { http?: string; https?: string; except?: string };
}
