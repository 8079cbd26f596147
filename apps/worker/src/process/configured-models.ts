import { Secret, type WorkerConfig } from '@everturn/core/config';
import { openCredential, type Database, type SecretBox } from '@everturn/core/postgres';
import { llmRegistry, type LlmRegistry } from '@everturn/core/providers';

/** The routes a worker is configured with; throws `LlmError` for one that cannot work. */
export function configuredModels(
  { routes, streamIdleTimeoutMs, streamSilenceLimitMs, proxy }: WorkerConfig['providers'],
  { database, secrets }: { database: Database; secrets: SecretBox },
): LlmRegistry {
  return llmRegistry({
    routes,
    streamIdleTimeoutMs,
    streamSilenceLimitMs,
    ...(proxy && { proxy }),
    // Looked up for each call; a call without one says so.
    credential: async (key) => {
      const value = await openCredential(database, key, secrets);
      return value === undefined ? undefined : new Secret(value);
    },
  });
}
