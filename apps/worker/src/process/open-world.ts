import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { liveEnvironment, type WorkerConfig } from '@everturn/core/config';
import type { Database } from '@everturn/core/postgres';
import { openLocalWorld, reapOrphans, type LocalWorld } from '@everturn/tools/world';
import type { Logger } from 'pino';
import { openToCommands } from './open-to-commands.ts';
import { PostgresSpillStore } from './postgres-spill-store.ts';

/** Opens this machine for tools, after ending what dead workers left running on it. */
export async function openWorld(
  config: WorkerConfig,
  { roots, log, database }: { roots: readonly string[]; log: Logger; database: Database },
): Promise<LocalWorld> {
  const dataDir = resolve(config.dataDir);
  await mkdir(dataDir, { recursive: true });
  const { killed } = await reapOrphans(dataDir);
  if (killed.length > 0) log.warn({ killed }, 'ended processes that a dead worker left running');
  const open = openToCommands(config);
  if (open !== undefined) log.warn(open);
  return openLocalWorld({
    environment: liveEnvironment(),
    secretValues: secretsOf(config),
    dataDir,
    spillRoot: join(dataDir, 'spill'),
    ...(config.spill === 'postgres' && { spill: new PostgresSpillStore({ database }) }),
    roots,
    skills: { folders: config.skills, ...homeOf(liveEnvironment()) },
    languageServers: config.languageServers,
    web: { ...config.web, ...(config.providers.proxy && { proxy: config.providers.proxy }) },
    ...(config.sandbox.bubblewrap !== undefined && { bubblewrap: config.sandbox.bubblewrap }),
    ...(config.sandbox.runnerCommand && { runnerCommand: config.sandbox.runnerCommand }),
    ...(config.chromium !== undefined && { chromium: config.chromium }),
    ...(config.browserAddress !== undefined && { browserAddress: config.browserAddress }),
    ...(config.pwsh !== undefined && { pwsh: config.pwsh }),
    ...(config.dependencies && { dependencies: config.dependencies }),
    mcp: { servers: config.mcpServers, onNotice: (notice) => log.warn(notice) },
  });
}

const homeOf = ({ HOME }: Record<string, string | undefined>) => (HOME === undefined ? {} : { home: HOME });

/** Values no command may see, under whatever name it is given them. */
function secretsOf({ database, temporal, providers, web, mcpServers, hooks }: WorkerConfig): string[] {
  const keys = providers.routes.flatMap(({ apiKey }) => (apiKey ? [apiKey.reveal()] : []));
  const servers = mcpServers.flatMap(({ secrets }) => secrets);
  const alone = [
    database.url,
    database.directUrl,
    temporal.apiKey,
    web.deepseek.apiKey,
    web.exa.apiKey,
    web.perplexity.apiKey,
    ...servers,
    ...(hooks?.http ?? []).map(({ secret }) => secret),
  ].flatMap((secret) => (secret ? [secret.reveal()] : []));
  return [...alone, ...keys];
}
