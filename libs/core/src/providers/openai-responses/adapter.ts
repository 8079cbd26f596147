import type { GenerateOptions, ReasoningEffort, StreamChunk } from '../../domain/index.ts';
import type { LlmAdapter } from '../llm-adapter.ts';
import { checkOwnKey } from '../wire/call-key.ts';
import { discoverCall, streamCall } from '../wire/calling.ts';
import { inputOf, modelInfo, modelOf, ToldWindows } from '../wire/models.ts';
import { bearer, openAiClient } from '../wire/openai-client.ts';
import type { ResponsesConfig } from './config.ts';
import { FromWire } from './from-wire.ts';
import { EFFORTS, toWire } from './to-wire.ts';

/** Speaks the Responses API to one endpoint; bad credentials fail here, as `LlmError`. */
export function openAiResponsesAdapter(config: ResponsesConfig): LlmAdapter {
  checkOwnKey(config);
  const client = openAiClient(config);
  const told = new ToldWindows();
  const context = (model: string) => told.context(model, modelOf(config, model)?.contextWindow ?? config.contextWindow);

  async function* stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const body = toWire(config, options);
    yield* streamCall({
      config,
      options,
      translator: new FromWire({ ...context(options.model) }),
      send: ({ signal, key }) => client.responses.create(body, { signal, headers: bearer(config, key) }).asResponse(),
    });
  }

  return {
    id: 'openai-responses',
    name: config.name,
    stream,
    models: () => config.models.map((model) => modelInfo(config, model)),
    context,
    input: (model) => [...inputOf(config, model)],
    efforts: () => Object.keys(config.reasoningEfforts ?? EFFORTS) as ReasoningEffort[],
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
