import { createHash } from 'node:crypto';
import { assertNever, canonicalJson } from '../domain/index.ts';
import type { ModelPrice, TenantId } from '../domain/index.ts';
import { anthropicMessagesAdapter } from './anthropic-messages/adapter.ts';
import type { AnthropicConfig } from './anthropic-messages/config.ts';
import type { LlmAdapter } from './llm-adapter.ts';
import { openAiChatAdapter } from './openai-chat/adapter.ts';
import type { OpenAiChatConfig } from './openai-chat/config.ts';
import { openAiResponsesAdapter } from './openai-responses/adapter.ts';
import type { ResponsesConfig } from './openai-responses/config.ts';
import { LlmRegistry } from './registry.ts';
import type { RouteLimit } from './registry.ts';
import type { EndpointConfig, ModelConfig, Revealable } from './wire/endpoint-config.ts';

/** What all routes of a process have in common. */
type Shared = 'provider' | 'streamIdleTimeoutMs' | 'streamSilenceLimitMs' | 'proxy' | 'credential';
type Own<Config extends EndpointConfig> = Omit<Config, Shared | 'models'>;
type Protocol =
  | ({ protocol?: 'openai-chat' } & Own<OpenAiChatConfig>)
  | ({ protocol: 'openai-responses' } & Own<ResponsesConfig>)
  | ({ protocol: 'anthropic-messages' } & Own<AnthropicConfig>);

/** One configured route. */
export type RouteConfig = Protocol & {
  id: string;
  models: readonly (ModelConfig & { price?: ModelPrice })[];
  /** What every model of the route costs that does not say so itself. */
  price?: ModelPrice;
  rateLimit?: Omit<RouteLimit, 'per'>;
};

/** The key a tenant stored under a name; asked for each call. */
export type FindCredential = (input: { tenant: TenantId; ref: string }) => Promise<Revealable | undefined>;

/** Every configured route, and which one answers when a session names none. */
export interface ProviderRoutes {
  routes: readonly RouteConfig[];
  default?: { provider: string; model?: string };
  streamIdleTimeoutMs: number;
  streamSilenceLimitMs: number;
  proxy?: NonNullable<EndpointConfig['proxy']>;
  /** Absent where tenants can store no keys. */
  credential?: FindCredential;
}

/** Builds the registry; throws `LlmError` for a route that cannot work (no key, a bad key, an id twice). */
export function llmRegistry(input: ProviderRoutes): LlmRegistry {
  const registry = new LlmRegistry();
  for (const config of input.routes) {
    const { id, price, rateLimit, ...route } = config;
    registry.register({
      provider: { id, name: route.name },
      adapter: adapterOf(route, sharedBy(input, config)),
      digest: digestOf(route),
      price: (model) => config.models.find((listed) => listed.id === model)?.price ?? price,
      ...(config.credentialRef && {
        credential: { ref: config.credentialRef, source: config.apiKey ? 'environment' : 'stored' },
      }),
      ...(rateLimit && {
        limit: { ...rateLimit, per: config.credentialRef && !config.apiKey ? 'tenant' : 'deployment' },
      }),
    });
  }
  return registry;
}

type Given = Protocol & Pick<RouteConfig, 'models'>;

function adapterOf(route: Given, shared: Pick<EndpointConfig, Shared>): LlmAdapter {
  switch (route.protocol) {
    case undefined:
    case 'openai-chat':
      return openAiChatAdapter({ ...route, ...shared });
    case 'openai-responses':
      return openAiResponsesAdapter({ ...route, ...shared });
    case 'anthropic-messages':
      return anthropicMessagesAdapter({ ...route, ...shared });
    default:
      return assertNever(route, 'protocol');
  }
}

function sharedBy(input: ProviderRoutes, { id, credentialRef: ref }: RouteConfig): Pick<EndpointConfig, Shared> {
  const { streamIdleTimeoutMs, streamSilenceLimitMs, proxy, credential } = input;
  return {
    provider: id,
    streamIdleTimeoutMs,
    streamSilenceLimitMs,
    ...(proxy && { proxy }),
    ...(credential &&
      ref && { credential: async (tenant) => (tenant === undefined ? undefined : await credential({ tenant, ref })) }),
  };
}

/** Without keys and prices: a key that is changed leaves a route the same, and so does what it costs. */
function digestOf({ apiKey: _key, credentialRef: _ref, ...route }: Given): string {
  const models = route.models.map(({ price: _, ...model }) => model);
  return createHash('sha256')
    .update(canonicalJson({ ...route, models }))
    .digest('hex')
    .slice(0, 16);
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
