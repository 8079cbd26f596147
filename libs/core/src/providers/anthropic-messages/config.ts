import type { ReasoningEffort } from '../../domain/index.ts';
import type { EndpointConfig } from '../wire/endpoint-config.ts';

/** How one endpoint of the Messages API is reached; `/v1/messages` is added to `baseUrl`. */
export interface AnthropicConfig extends EndpointConfig {
  /** How long the provider keeps what requests begin with; default `short`. */
  cacheRetention?: 'none' | 'short' | 'long';
  /** Tokens of thinking per level, for models that take a budget instead of an effort. */
  thinkingBudgets?: Readonly<Partial<Record<ReasoningEffort, number>>>;
}
