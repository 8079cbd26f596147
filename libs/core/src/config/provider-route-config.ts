import type { Secret } from './secret.ts';

/** One way to reach models: which wire dialect is spoken where, and with which key. */
export interface ProviderRouteConfig {
  id: string;
  name: string;
  dialect: 'openai' | 'deepseek' | 'scripted';
  baseUrl: string;
  /** The variable that says where it is, for whoever cannot reach it. */
  baseUrlFrom?: string;
  apiKey?: Secret;
  /** Advisory; a model that is not listed is passed through. */
  models: { id: string; name?: string; contextWindow?: number; maxTokens?: number; input?: ('text' | 'image')[] }[];
  /** What every model of the route holds that does not say so itself, in tokens. */
  contextWindow?: number;
  /** What every model of the route takes that does not say so itself; default: text only. */
  input?: ('text' | 'image')[];
  headers?: Record<string, string>;
  /** What each level is called on the wire; a level that is not listed is refused. */
  reasoningEfforts?: Partial<Record<'off' | 'low' | 'medium' | 'high' | 'max', string>>;
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
}
