export { openAiChatAdapter } from './openai-chat/adapter.ts';
export type { OpenAiChatConfig, Revealable } from './openai-chat/config.ts';
export { checkGrammar } from './grammar.ts';
export type { LlmAdapter } from './llm-adapter.ts';
export { LlmRegistry } from './registry.ts';
export type { LlmRoute } from './registry.ts';
export { defaultModel, llmRegistry } from './routes.ts';
export type { ProviderRoutes } from './routes.ts';
