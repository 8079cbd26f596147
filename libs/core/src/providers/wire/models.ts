import type { LlmModelContext, LlmModelInfo } from '../../domain/index.ts';
import type { EndpointConfig, ModelConfig, ModelInput } from './endpoint-config.ts';

/** What is configured of a model. */
export const modelOf = (config: EndpointConfig, model: string): ModelConfig | undefined =>
  config.models.find(({ id }) => id === model);

/** What a model of a route takes: as declared for it, else for the route; who says nothing gets text alone. */
export const inputOf = (config: EndpointConfig, model: string): readonly ModelInput[] =>
  modelOf(config, model)?.input ?? config.input ?? ['text'];

/** A model as a list shows it. */
export function modelInfo(config: EndpointConfig, model: { id: string; name?: string | undefined }): LlmModelInfo {
  const input = inputOf(config, model.id);
  return {
    provider: config.provider,
    id: model.id,
    name: model.name ?? model.id,
    ...(input.includes('image') && { input: [...input] }),
  };
}

/** Where servers say how much a model holds: vLLM, OpenRouter and others, Groq, Anthropic, llama.cpp. */
const WINDOW_FIELDS = ['max_model_len', 'context_length', 'context_window', 'max_input_tokens', 'n_ctx'];

/** Remembers what a provider itself says its models hold. */
export class ToldWindows {
  readonly #told = new Map<string, number>();

  /** Notes an entry of a provider's list. */
  note(entry: { id: string }): void {
    const members = { ...entry } as Record<string, unknown>;
    const meta = typeof members.meta === 'object' && members.meta !== null ? members.meta : {};
    const all: Record<string, unknown> = { ...meta, ...members };
    const window = WINDOW_FIELDS.map((field) => all[field]).find(
      (value) => Number.isSafeInteger(value) && Number(value) > 0,
    );
    if (window !== undefined) this.#told.set(entry.id, Number(window));
  }

  /** What a model holds: as configured, else as it was told. */
  context(model: string, configured: number | undefined): LlmModelContext | undefined {
    const contextWindow = configured ?? this.#told.get(model);
    return contextWindow === undefined ? undefined : { contextWindow };
  }
}
