import type { EndpointConfig } from '../wire/endpoint-config.ts';

/** Who speaks chat completions: each adds to the format and leaves out of it in its own way. */
export type ChatDialect = 'openai' | 'deepseek' | 'vllm' | 'llamacpp' | 'ollama' | 'scripted';

/** How one OpenAI-compatible endpoint is reached and what it understands; `/chat/completions` is added to `baseUrl`. */
export interface OpenAiChatConfig extends EndpointConfig {
  dialect: ChatDialect;
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
}
