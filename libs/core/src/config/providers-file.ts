import { z } from 'zod';
import { CompactionSettings } from './compaction-settings.ts';
import { httpUrl, withoutBlanks } from './fields.ts';
import { brokenFile, readJsonFile, type NamedFile } from './json-file.ts';
import type { ProviderRouteConfig } from './provider-route-config.ts';
import { Secret } from './secret.ts';

const identifier = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, 'use letters, digits, . _ -');
const tokens = z.int().positive();
const input = z.array(z.enum(['text', 'image'])).refine((kinds) => kinds.includes('text'), 'every model takes text');

const RouteEntry = z.strictObject({
  id: identifier,
  name: z.string().optional(),
  dialect: z.enum(['openai', 'deepseek', 'scripted']).default('openai'),
  baseUrl: httpUrl('use an http(s) URL'),
  /** The name of the variable that holds the key: the file itself holds none. */
  apiKeyEnv: z.string().optional(),
  models: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        name: z.string().optional(),
        contextWindow: tokens.optional(),
        maxTokens: tokens.optional(),
        input: input.optional(),
      }),
    )
    .default([]),
  /** What every model of the route holds that does not say so itself, in tokens. */
  contextWindow: tokens.optional(),
  input: input.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  reasoningEfforts: z.partialRecord(z.enum(['off', 'low', 'medium', 'high', 'max']), z.string()).optional(),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
});

const ProvidersFile = z.strictObject({
  routes: z.array(RouteEntry).min(1),
  default: z.strictObject({ provider: identifier, model: z.string().optional() }).optional(),
  compaction: CompactionSettings.optional(),
});

/** What a providers file says. */
export interface ProvidersFileContent {
  routes: ProviderRouteConfig[];
  default?: { provider: string; model?: string };
  compaction?: CompactionSettings;
}

/** What a providers file says, its keys taken from the variables it names; throws `CONFIG_FILE`. */
export function readProvidersFile(path: string, source: NodeJS.ProcessEnv): ProvidersFileContent {
  const file: NamedFile = { path, variable: 'EVERTURN_PROVIDERS_FILE' };
  const parsed = ProvidersFile.safeParse(readJsonFile(file));
  if (!parsed.success) throw brokenFile(file, z.prettifyError(parsed.error));
  const values = withoutBlanks(source);
  const routes = parsed.data.routes.map(({ apiKeyEnv, name, ...entry }) => {
    const key = apiKeyEnv && values[apiKeyEnv];
    if (apiKeyEnv && !key)
      throw brokenFile(file, `route ${entry.id} takes its key from ${apiKeyEnv}, which is not set`);
    return { ...entry, name: name ?? entry.id, ...(key && { apiKey: new Secret(key) }) } as ProviderRouteConfig;
  });
  const { compaction } = parsed.data;
  return {
    routes,
    ...(compaction && { compaction }),
    ...(parsed.data.default && { default: parsed.data.default as { provider: string; model?: string } }),
  };
}
