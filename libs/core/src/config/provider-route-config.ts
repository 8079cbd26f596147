import type { Secret } from './secret.ts';

/** What a model costs, in US dollars per million tokens. */
export interface PriceConfig {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** How much all workers together may ask of a route; what is absent is not limited. */
export interface RateLimitConfig {
  requestsPerMinute?: number;
  tokensPerMinute?: number;
}

export interface ModelRouteConfig {
  id: string;
  name?: string;
  contextWindow?: number;
  maxTokens?: number;
  input?: ('text' | 'image')[];
  price?: PriceConfig;
}

type Effort = 'off' | 'low' | 'medium' | 'high' | 'max';

interface RouteConfig {
  id: string;
  name: string;
  baseUrl: string;
  /** The variable that says where it is, for whoever cannot reach it. */
  baseUrlFrom?: string;
  apiKey?: Secret;
  /** What the key is called where tenants store it; absent: they cannot. */
  credentialRef?: string;
  /** Advisory; a model that is not listed is passed through. */
  models: ModelRouteConfig[];
  /** What every model of the route holds that does not say so itself, in tokens. */
  contextWindow?: number;
  /** What every model of the route takes that does not say so itself. */
  input?: ('text' | 'image')[];
  headers?: Record<string, string>;
  /** What each level is called on the wire; a level that is not listed is refused. */
  reasoningEfforts?: Partial<Record<Effort, string>>;
  /** What every model of the route costs that does not say so itself. */
  price?: PriceConfig;
  rateLimit?: RateLimitConfig;
}

/** One way to reach models: which protocol is spoken where, and with which key. */
export type ProviderRouteConfig = RouteConfig &
  (
    | {
        protocol?: 'openai-chat';
        dialect: 'openai' | 'deepseek' | 'vllm' | 'llamacpp' | 'ollama' | 'scripted';
        maxTokensField?: 'max_tokens' | 'max_completion_tokens';
      }
    | { protocol: 'openai-responses' }
    | {
        protocol: 'anthropic-messages';
        /** How long the provider keeps what requests begin with. */
        cacheRetention?: 'none' | 'short' | 'long';
        /** Tokens of thinking per level, for models that take a budget instead of an effort. */
        thinkingBudgets?: Partial<Record<Effort, number>>;
      }
  );
