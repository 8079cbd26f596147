import type { z } from 'zod';
import type { CompactionSettings } from './compaction-settings.ts';
import { readProvidersFile, type KeySources } from './providers-file.ts';
import type { ProviderRouteConfig } from './provider-route-config.ts';
import type { providerFields } from './schema.ts';

/** Every route to a model, the one used when a session names none, and how calls behave. */
export interface ProvidersConfig {
  routes: ProviderRouteConfig[];
  default?: { provider: string; model?: string };
  /** How long a model may send nothing, in ms. */
  streamIdleTimeoutMs: number;
  /** How long a model may send keep-alives only, in ms. */
  streamSilenceLimitMs: number;
  /** When and how histories are shortened. */
  compaction: CompactionSettings;
  proxy?: { http?: string; https?: string; except?: string };
}

type ProviderEnv = z.output<z.ZodObject<typeof providerFields>>;
const OPENAI_URL = 'https://api.openai.com/v1';

/** Routes named by variables come before those of the providers file; the scripted model comes last. */
export function providersConfig(env: ProviderEnv, keys: KeySources): ProvidersConfig {
  const file = env.EVERTURN_PROVIDERS_FILE ? readProvidersFile(env.EVERTURN_PROVIDERS_FILE, keys) : undefined;
  const routes = [
    ...openaiRoute(env),
    ...deepseekRoute(env),
    ...anthropicRoute(env),
    ...(file?.routes ?? []),
    ...scriptedRoute(env),
  ];
  const chosen = env.EVERTURN_PROVIDER ?? file?.default?.provider ?? routes[0]?.id;
  const model = env.EVERTURN_MODEL ?? (chosen === file?.default?.provider ? file?.default?.model : undefined);
  return {
    routes,
    ...(chosen && { default: { provider: chosen, ...(model && { model }) } }),
    streamIdleTimeoutMs: env.EVERTURN_STREAM_IDLE_TIMEOUT_MS,
    streamSilenceLimitMs: env.EVERTURN_STREAM_SILENCE_LIMIT_MS,
    compaction: { ...file?.compaction, ...(env.EVERTURN_COMPACTION === 'off' && { auto: false }) },
    ...proxyOf(env),
  };
}

function openaiRoute(env: ProviderEnv): ProviderRouteConfig[] {
  if (!env.OPENAI_BASE_URL && !env.OPENAI_API_KEY) return [];
  return [
    {
      id: 'openai',
      name: 'OpenAI-compatible',
      dialect: 'openai',
      baseUrl: env.OPENAI_BASE_URL ?? OPENAI_URL,
      ...(env.OPENAI_BASE_URL && { baseUrlFrom: 'OPENAI_BASE_URL' }),
      ...(env.OPENAI_API_KEY && { apiKey: env.OPENAI_API_KEY }),
      models: env.OPENAI_MODEL ? [{ id: env.OPENAI_MODEL }] : [],
      ...(env.OPENAI_CONTEXT_WINDOW !== undefined && { contextWindow: env.OPENAI_CONTEXT_WINDOW }),
      ...(env.OPENAI_MODEL_INPUT === 'text,image' && { input: ['text', 'image'] }),
    },
  ];
}

function deepseekRoute(env: ProviderEnv): ProviderRouteConfig[] {
  if (!env.DEEPSEEK_API_KEY) return [];
  return [
    {
      id: 'deepseek',
      name: 'DeepSeek',
      dialect: 'deepseek',
      baseUrl: env.DEEPSEEK_BASE_URL,
      apiKey: env.DEEPSEEK_API_KEY,
      models: [],
    },
  ];
}

function anthropicRoute(env: ProviderEnv): ProviderRouteConfig[] {
  if (!env.ANTHROPIC_API_KEY) return [];
  return [
    {
      id: 'anthropic',
      name: 'Anthropic',
      protocol: 'anthropic-messages',
      baseUrl: env.ANTHROPIC_BASE_URL,
      apiKey: env.ANTHROPIC_API_KEY,
      models: env.ANTHROPIC_MODEL ? [{ id: env.ANTHROPIC_MODEL }] : [],
    },
  ];
}

function scriptedRoute(env: ProviderEnv): ProviderRouteConfig[] {
  if (!env.EVERTURN_SCRIPTED_URL) return [];
  const baseUrl = env.EVERTURN_SCRIPTED_URL;
  const baseUrlFrom = 'EVERTURN_SCRIPTED_URL';
  return [{ id: 'scripted', name: 'Scripted (not a model)', dialect: 'scripted', baseUrl, baseUrlFrom, models: [] }];
}

function proxyOf(env: ProviderEnv): Pick<ProvidersConfig, 'proxy'> {
  if (!env.HTTP_PROXY && !env.HTTPS_PROXY) return {};
  return {
    proxy: {
      ...(env.HTTP_PROXY && { http: env.HTTP_PROXY }),
      ...(env.HTTPS_PROXY && { https: env.HTTPS_PROXY }),
      ...(env.NO_PROXY && { except: env.NO_PROXY }),
    },
  };
}
