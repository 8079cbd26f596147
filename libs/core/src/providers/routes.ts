import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/index.ts';
import { openAiChatAdapter } from './openai-chat/adapter.ts';
import type { OpenAiChatConfig } from './openai-chat/config.ts';
import { LlmRegistry } from './registry.ts';

type Shared = 'provider' | 'streamIdleTimeoutMs' | 'streamSilenceLimitMs' | 'proxy';

/** Every configured route, and which one answers when a session names none. */
export interface ProviderRoutes {
  routes: readonly (Omit<OpenAiChatConfig, Shared> & { id: string })[];
  default?: { provider: string; model?: string };
  streamIdleTimeoutMs: number;
  streamSilenceLimitMs: number;
  proxy?: NonNullable<OpenAiChatConfig['proxy']>;
}

/** Builds the registry; throws `LlmError` for a route that cannot work (no key, a bad key, an id twice). */
export function llmRegistry(input: ProviderRoutes): LlmRegistry {
  const registry = new LlmRegistry();
  const { streamIdleTimeoutMs, streamSilenceLimitMs, proxy } = input;
  for (const { id, ...route } of input.routes) {
    const { apiKey: _, ...visible } = route;
    registry.register({
      provider: { id, name: route.name },
      adapter: openAiChatAdapter({
        ...route,
        provider: id,
        streamIdleTimeoutMs,
        streamSilenceLimitMs,
        ...(proxy && { proxy }),
      }),
      // Without the key: a rotated key is still the same route.
      digest: createHash('sha256').update(canonicalJson(visible)).digest('hex').slice(0, 16),
    });
  }
  return registry;
}

/**
 * The provider and model for sessions that name none: as configured, else the first of the catalogue, else the
 * first the provider says it serves. Throws `LlmError` when it cannot be asked; `undefined` without any model.
 */
export async function defaultModel(
  registry: LlmRegistry,
  wanted: ProviderRoutes['default'],
): Promise<{ provider: string; model: string } | undefined> {
  const provider = wanted?.provider ?? registry.providers()[0]?.id;
  if (!provider) return undefined;
  const model = wanted?.model ?? registry.models(provider)[0]?.id ?? (await registry.discover(provider))[0]?.id;
  return model ? { provider, model } : undefined;
}
