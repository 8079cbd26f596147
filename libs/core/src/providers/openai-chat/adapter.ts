import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { GenerateOptions, LlmModelContext, LlmModelInfo, StreamChunk } from '../../domain/index.ts';
import type { LlmAdapter } from '../llm-adapter.ts';
import { answerChunks } from './answer.ts';
import { Attempt } from './attempt.ts';
import type { OpenAiChatConfig } from './config.ts';
import { callHeaders, contextWindowOf, inputOf, modelsOf } from './dialect.ts';
import { toWire } from './to-wire.ts';
import { openAiClient } from './transport.ts';

/** Speaks chat completions to one endpoint; bad credentials fail here, as `LlmError`. */
export function openAiChatAdapter(config: OpenAiChatConfig): LlmAdapter {
  const client = openAiClient(config);
  const key = config.apiKey?.reveal();
  const limits = { idleMs: config.streamIdleTimeoutMs, silenceMs: config.streamSilenceLimitMs, endpoint: config };
  const context = (model: string): LlmModelContext | undefined => {
    const contextWindow = contextWindowOf(config, model);
    return contextWindow === undefined ? undefined : { contextWindow };
  };
  const info = (model: { id: string; name?: string }): LlmModelInfo => ({
    provider: config.provider,
    id: model.id,
    name: model.name ?? model.id,
    ...(inputOf(config, model.id).includes('image') && { input: [...inputOf(config, model.id)] }),
  });

  async function* stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    // What dialects add to the format is not in the client's types.
    const body = toWire(config, options) as unknown as ChatCompletionCreateParamsStreaming;
    const attempt = new Attempt({ signal: options.signal, ...limits });
    try {
      const headers = callHeaders(config, options);
      const response = await attempt.read(() =>
        client.chat.completions.create(body, { signal: attempt.signal, headers }).asResponse(),
      );
      yield* answerChunks({ attempt, response, ...context(options.model), ...(key && { key }) });
    } finally {
      attempt.close();
    }
  }

  async function discover(): Promise<LlmModelInfo[]> {
    const attempt = new Attempt(limits);
    try {
      const page = await attempt.read(() => client.models.list({ signal: attempt.signal }));
      return page.data.map(info);
    } finally {
      attempt.close();
    }
  }

  return {
    id: 'openai-chat',
    name: config.name,
    stream,
    models: () => modelsOf(config).map(info),
    context,
    input: (model) => [...inputOf(config, model)],
    discover,
  };
}
