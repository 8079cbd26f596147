import type { GenerateOptions } from '../../domain/index.ts';
import type { ModelConfig, ModelInput } from '../wire/endpoint-config.ts';
import { modelOf } from '../wire/models.ts';
import type { ChatDialect, OpenAiChatConfig } from './config.ts';

/** What everybody knows of one dialect. */
interface DialectFacts {
  models: readonly ModelConfig[];
  input: readonly ModelInput[];
  /** The fields in which thinking goes back with a message. */
  reasoning: readonly ('reasoning_content' | 'reasoning')[];
  headers?(options: GenerateOptions): Record<string, string>;
}

const DEEPSEEK = { contextWindow: 1_000_000, maxTokens: 256_000 };
const plain: DialectFacts = { models: [], input: ['text'], reasoning: ['reasoning_content'] };

const DIALECTS: Record<ChatDialect, DialectFacts> = {
  openai: plain,
  deepseek: {
    ...plain,
    models: [
      { id: 'deepseek-v4-flash', name: 'DeepSeek V4 Flash', ...DEEPSEEK },
      { id: 'deepseek-v4-pro', name: 'DeepSeek V4 Pro', ...DEEPSEEK },
    ],
    headers: ({ sessionId, purpose }) => ({
      ...(sessionId && { 'x-deepseek-harness-session-id': sessionId }),
      ...(purpose === 'compaction' && { 'x-deepseek-harness-compact': '1' }),
    }),
  },
  // Its older versions know the first name alone, its newer ones the second.
  vllm: { ...plain, reasoning: ['reasoning_content', 'reasoning'] },
  llamacpp: plain,
  ollama: { ...plain, reasoning: ['reasoning'] },
  scripted: {
    ...plain,
    input: ['text', 'image'],
    models: [
      { id: 'scripted-demo', name: 'Scripted demo (not a model)', contextWindow: 128_000 },
      { id: 'scripted-echo', name: 'Scripted echo (not a model)', contextWindow: 128_000 },
      { id: 'scripted-faults', name: 'Scripted faults (not a model)', contextWindow: 128_000 },
    ],
    headers: ({ sessionId, purpose }) => ({
      ...(sessionId && { 'x-everturn-session-id': sessionId }),
      ...(purpose && { 'x-everturn-purpose': purpose }),
    }),
  },
};

/** A route with what its dialect knows where the route itself says nothing. */
export function withDialect(config: OpenAiChatConfig): OpenAiChatConfig {
  const { models, input } = DIALECTS[config.dialect];
  return {
    ...config,
    models: config.models.length > 0 ? config.models : models,
    input: config.input ?? input,
  };
}

/** The tokens a model of a route holds, if anybody says. A scripted model holds what its name says: `name@32000`. */
export function contextWindowOf(config: OpenAiChatConfig, model: string): number | undefined {
  const said = config.dialect === 'scripted' ? /@(\d{3,9})$/.exec(model)?.[1] : undefined;
  return said === undefined ? (modelOf(config, model)?.contextWindow ?? config.contextWindow) : Number(said);
}

/** Headers that tell who calls and what for; never prompt content. */
export function callHeaders({ dialect }: OpenAiChatConfig, options: GenerateOptions): Record<string, string> {
  return DIALECTS[dialect].headers?.(options) ?? {};
}

/** OpenAI's own API refuses the name that all others know. */
export function maxTokensField(config: OpenAiChatConfig): 'max_tokens' | 'max_completion_tokens' {
  const own = new URL(config.baseUrl).hostname === 'api.openai.com';
  return config.maxTokensField ?? (own ? 'max_completion_tokens' : 'max_tokens');
}

/**
 * The fields in which thinking goes back with a message. DeepSeek refuses histories without it; others know the
 * fields for sure only where they sent them themselves.
 */
export function reasoningFields(config: OpenAiChatConfig, author: string | undefined): DialectFacts['reasoning'] {
  return config.dialect === 'deepseek' || author === config.provider ? DIALECTS[config.dialect].reasoning : [];
}
