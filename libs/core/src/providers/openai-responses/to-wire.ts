import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { LlmError } from '../../domain/index.ts';
import type { GenerateOptions } from '../../domain/index.ts';
import { wireEffort } from '../wire/efforts.ts';
import type { Efforts } from '../wire/efforts.ts';
import { modelOf } from '../wire/models.ts';
import type { ResponsesConfig } from './config.ts';
import { wireHistory } from './history.ts';

/** The levels of models that think, where the route names none. */
export const EFFORTS: Efforts = { off: 'none', low: 'low', medium: 'medium', high: 'high', max: 'xhigh' };

/** Writes a request; throws `UNSUPPORTED_OPTION`, `…_CONTENT` or `…_REASONING_EFFORT` rather than leave anything out. */
export function toWire(config: ResponsesConfig, options: GenerateOptions): ResponseCreateParamsStreaming {
  if (options.stop?.length) {
    const message = `provider "${config.provider}" cannot stop at words: the Responses API knows no such option`;
    throw new LlmError({ code: 'UNSUPPORTED_OPTION', message });
  }
  const maxTokens = options.maxTokens ?? modelOf(config, options.model)?.maxTokens;
  return {
    model: options.model,
    input: wireHistory(config, options),
    stream: true,
    // The log is the memory; the provider keeps nothing, and hands its thinking out sealed instead.
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(options.system && { instructions: options.system.toWellFormed() }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.tools?.length && {
      tools: options.tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        name,
        description,
        parameters: { ...parameters },
        // Strict schemas allow no optional parameters, and ours have some.
        strict: false,
      })),
    }),
    ...(options.sessionId && { prompt_cache_key: options.sessionId }),
    ...effortFields(config, options),
  };
}

function effortFields(config: ResponsesConfig, options: GenerateOptions) {
  const effort = options.purpose === 'session-title' ? undefined : options.reasoningEffort;
  if (!effort) return {};
  const level = wireEffort(config, EFFORTS, effort) as 'low' | 'medium' | 'high';
  return { reasoning: { effort: level, ...(effort !== 'off' && { summary: 'auto' as const }) } };
}
