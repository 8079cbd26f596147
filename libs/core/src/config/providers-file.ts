import { z } from 'zod';
import { CompactionSettings } from './compaction-settings.ts';
import { withoutBlanks } from './fields.ts';
import { brokenFile, readJsonFile, type NamedFile } from './json-file.ts';
import type { ProviderRouteConfig } from './provider-route-config.ts';
import { identifier, RouteEntry } from './provider-route-entry.ts';
import { Secret } from './secret.ts';

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

/** Where keys come from: the environment, and where tenants may store theirs, from them. */
export interface KeySources {
  environment: NodeJS.ProcessEnv;
  stored: 'none' | 'by-tenant';
}

/** What a providers file says, its keys taken from the variables it names; throws `CONFIG_FILE`. */
export function readProvidersFile(path: string, { environment, stored }: KeySources): ProvidersFileContent {
  const file: NamedFile = { path, variable: 'EVERTURN_PROVIDERS_FILE' };
  const parsed = ProvidersFile.safeParse(readJsonFile(file));
  if (!parsed.success) throw brokenFile(file, z.prettifyError(parsed.error));
  const values = withoutBlanks(environment);
  const routes = parsed.data.routes.map(({ apiKeyEnv, name, ...entry }) => {
    const key = apiKeyEnv && values[apiKeyEnv];
    if (apiKeyEnv && !key && stored === 'none')
      throw brokenFile(file, `route ${entry.id} takes its key from ${apiKeyEnv}, which is not set`);
    return {
      ...entry,
      name: name ?? entry.id,
      ...(apiKeyEnv && { credentialRef: apiKeyEnv }),
      ...(key && { apiKey: new Secret(key) }),
    } as ProviderRouteConfig;
  });
  const { compaction } = parsed.data;
  return {
    routes,
    ...(compaction && { compaction }),
    ...(parsed.data.default && { default: parsed.data.default as { provider: string; model?: string } }),
  };
}
