import Anthropic from '@anthropic-ai/sdk';
import type { GenerateOptions, ReasoningEffort, StreamChunk } from '../../domain/index.ts';
import type { LlmAdapter } from '../llm-adapter.ts';
import { checkOwnKey } from '../wire/call-key.ts';
import { discoverCall, streamCall } from '../wire/calling.ts';
import { inputOf, modelInfo, modelOf, ToldWindows } from '../wire/models.ts';
import { clientOptions, withOwnHeaders } from '../wire/transport.ts';
import type { AnthropicConfig } from './config.ts';
import { FromWire } from './from-wire.ts';
import { EFFORTS } from './thinking.ts';
import { toWire } from './to-wire.ts';

const OWN_HOST = 'api.anthropic.com';

/** Speaks the Messages API to one endpoint; bad credentials fail here, as `LlmError`. */
export function anthropicMessagesAdapter(given: AnthropicConfig): LlmAdapter {
  const config: AnthropicConfig = { ...given, input: given.input ?? ['text', 'image'] };
  checkOwnKey(config, new URL(config.baseUrl).hostname === OWN_HOST ? 'ANTHROPIC_API_KEY' : undefined);
  // A key that is given, whatever it is, keeps the client from looking for others in the environment and on the disk.
  const own = {
    ...clientOptions(config),
    apiKey: 'none',
    webhookKey: null,
    openTelemetry: { traces: false, propagation: false },
  };
  const client = withOwnHeaders(new Anthropic(own), config);
  const told = new ToldWindows();
  const context = (model: string) => told.context(model, modelOf(config, model)?.contextWindow ?? config.contextWindow);
  const withKey = (key: string | undefined) => ({ ...(key && { 'x-api-key': key }), authorization: null });

  async function* stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const body = toWire(config, options);
    yield* streamCall({
      config,
      options,
      translator: new FromWire({ ...context(options.model) }),
      send: ({ signal, key }) => client.messages.create(body, { signal, headers: withKey(key) }).asResponse(),
    });
  }

  return {
    id: 'anthropic-messages',
    name: config.name,
    stream,
    models: () => config.models.map((model) => modelInfo(config, model)),
    context,
    input: (model) => [...inputOf(config, model)],
    efforts: () => Object.keys(config.thinkingBudgets ?? config.reasoningEfforts ?? EFFORTS) as ReasoningEffort[],
    discover: (tenant) =>
      discoverCall({
        config,
        tenant,
        list: async ({ signal, key }) => {
          const page = await client.models.list({ limit: 1000 }, { signal, headers: withKey(key) });
          for (const model of page.data) told.note(model);
          return page.data.map(({ id, display_name: name }) => modelInfo(config, { id, name }));
        },
      }),
  };
}
