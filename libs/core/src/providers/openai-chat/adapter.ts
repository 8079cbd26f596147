import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { GenerateOptions, ReasoningEffort, StreamChunk } from '../../domain/index.ts';
import type { LlmAdapter } from '../llm-adapter.ts';
import { checkOwnKey } from '../wire/call-key.ts';
import { discoverCall, streamCall } from '../wire/calling.ts';
import { inputOf, modelInfo, ToldWindows } from '../wire/models.ts';
import { bearer, openAiClient } from '../wire/openai-client.ts';
import type { OpenAiChatConfig } from './config.ts';
import { callHeaders, contextWindowOf, withDialect } from './dialect.ts';
import { FromWire } from './from-wire.ts';
import { EFFORTS } from './thinking.ts';
import { toWire } from './to-wire.ts';

/** Speaks chat completions to one endpoint; bad credentials fail here, as `LlmError`. */
export function openAiChatAdapter(given: OpenAiChatConfig): LlmAdapter {
  const config = withDialect(given);
  checkOwnKey(config, config.dialect === 'deepseek' ? 'DEEPSEEK_API_KEY' : undefined);
  const client = openAiClient(config);
  const told = new ToldWindows();
  const context = (model: string) => told.context(model, contextWindowOf(config, model));

  async function* stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    // What dialects add to the format is not in the client's types.
    const body = toWire(config, options) as unknown as ChatCompletionCreateParamsStreaming;
    yield* streamCall({
      config,
      options,
      translator: new FromWire({ ...context(options.model) }),
      send: ({ signal, key }) => {
        const headers = { ...callHeaders(config, options), ...bearer(config, key) };
        return client.chat.completions.create(body, { signal, headers }).asResponse();
      },
    });
  }

  return {
    id: 'openai-chat',
    name: config.name,
    stream,
    models: () => config.models.map((model) => modelInfo(config, model)),
    context,
    input: (model) => [...inputOf(config, model)],
    efforts: () => Object.keys(config.reasoningEfforts ?? EFFORTS[config.dialect]) as ReasoningEffort[],
    discover: (tenant) =>
      discoverCall({
        config,
        tenant,
        list: async ({ signal, key }) => {
          const page = await client.models.list({ signal, headers: bearer(config, key) });
          for (const model of page.data) told.note(model);
          return page.data.map((model) => modelInfo(config, model));
        },
      }),
  };
}
