import type { GenerateOptions, LlmModelInfo, StreamChunk, TenantId } from '../../domain/index.ts';
import { answerChunks } from './answer.ts';
import type { Translator } from './answer.ts';
import { Attempt } from './attempt.ts';
import { callKey } from './call-key.ts';
import type { EndpointConfig } from './endpoint-config.ts';

/** What a client is told of one call. */
export interface Call {
  signal: AbortSignal;
  key: string | undefined;
}

export interface StreamCall {
  config: EndpointConfig;
  options: GenerateOptions;
  translator: Translator;
  send(call: Call): Promise<Response>;
}

const limitsOf = (config: EndpointConfig) => ({
  idleMs: config.streamIdleTimeoutMs,
  silenceMs: config.streamSilenceLimitMs,
  endpoint: config,
});

/** One attempt at an answer: its key, its request, its chunks; its connection ends with it. */
export async function* streamCall({ config, options, translator, send }: StreamCall): AsyncGenerator<StreamChunk> {
  const attempt = new Attempt({ signal: options.signal, ...limitsOf(config) });
  try {
    const key = await attempt.read(() => callKey(config, options.tenant));
    const response = await attempt.read(() => send({ signal: attempt.signal, key }));
    yield* answerChunks({ attempt, response, translator, ...(key && { key }) });
  } finally {
    attempt.close();
  }
}

export interface DiscoverCall {
  config: EndpointConfig;
  tenant: TenantId | undefined;
  list(call: Call): Promise<LlmModelInfo[]>;
}

/** One attempt at a provider's list of models. */
export async function discoverCall({ config, tenant, list }: DiscoverCall): Promise<LlmModelInfo[]> {
  const attempt = new Attempt(limitsOf(config));
  try {
    const key = await attempt.read(() => callKey(config, tenant));
    return await attempt.read(() => list({ signal: attempt.signal, key }));
  } finally {
    attempt.close();
  }
}
