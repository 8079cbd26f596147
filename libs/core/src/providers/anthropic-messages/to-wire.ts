import type { MessageCreateParamsStreaming, Tool } from '@anthropic-ai/sdk/resources/messages';
import type { GenerateOptions } from '../../domain/index.ts';
import { modelOf } from '../wire/models.ts';
import { withCacheMarks } from './cache-control.ts';
import type { AnthropicConfig } from './config.ts';
import { wireHistory } from './history.ts';
import { thinkingFields } from './thinking.ts';

/** The protocol wants a limit; one that is too high for a model is refused by its provider, which names the right one. */
const USUAL_MAX_TOKENS = 32_000;

/** Writes a request; throws `UNSUPPORTED_CONTENT` or `UNSUPPORTED_REASONING_EFFORT` rather than leave anything out. */
export function toWire(config: AnthropicConfig, options: GenerateOptions): MessageCreateParamsStreaming {
  const thinking = thinkingFields(config, options);
  const answer = options.maxTokens ?? modelOf(config, options.model)?.maxTokens ?? USUAL_MAX_TOKENS;
  const budget = thinking.thinking?.type === 'enabled' ? thinking.thinking.budget_tokens : 0;
  const body: MessageCreateParamsStreaming = {
    model: options.model,
    // A budget is a part of the limit, and must leave room for the answer.
    max_tokens: answer > budget ? answer : answer + budget,
    ...(options.system && { system: options.system.toWellFormed() }),
    messages: wireHistory(config, options),
    stream: true,
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.stop?.length && { stop_sequences: options.stop }),
    ...(options.tools?.length && {
      tools: options.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters as unknown as Tool.InputSchema, // its root is an object
      })),
    }),
    ...thinking,
  };
  return withCacheMarks(body, config);
}
