import { join, resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import type { WorkerConfig } from '@everturn/core/config';
import { checkToolOrder, DEFAULT_RETRY } from '@everturn/core/domain';
import { SecretBox } from '@everturn/core/postgres';
import { defaultModel } from '@everturn/core/providers';
import { ManagedEnvironment } from '@everturn/tools/kit';
import { guardedFetch, ProgramPool, type LocalWorld } from '@everturn/tools/world';
import type { Logger } from 'pino';
import {
  ChunkDrain,
  DerivedSessions,
  EffectRunner,
  Lanes,
  projectionLedger,
  SessionFactsReader,
  ShownPictures,
  Values,
  type ActivityDeps,
  type OwnHost,
} from '../activities/index.ts';
import {
  Bundles,
  createLiveBus,
  loadPlugins,
  localProviders,
  offerMcp,
  PluginError,
  registerCore,
  Registry,
} from '../plugins/index.ts';
import { appendChunks, type Projection } from '../projection/index.ts';
import { agentHandles } from './agent-handles.ts';
import { addHooks } from './add-hooks.ts';
import { builtInTools } from './built-in-tools.ts';
import { configuredModels } from './configured-models.ts';
import { toolSettings } from './tool-settings.ts';

export interface BuildDepsInput {
  config: WorkerConfig;
  projection: Projection;
  world: LocalWorld;
  host: OwnHost;
  /** Of Temporal. */
  client: Client;
  log: Logger;
  searchAttributes: () => boolean;
}

/** Makes everything activities work with; throws for a route or plugin that cannot work, naming it. */
export async function buildDeps(input: BuildDepsInput): Promise<ActivityDeps> {
  const { config, projection, world, host, log } = input;
  const { database } = projection;
  const registry = new Registry();
  const live = liveBus(log);
  const settings = toolSettings(config);
  registerCore(registry.global, {
    tools: builtInTools(config, { searches: world.ports.web }),
    readBeforeWrite: settings.files.readBeforeWrite,
    ...(config.persona !== undefined && { persona: config.persona }),
  });
  const agents = agentHandles({ database, client: input.client, queues: config.temporal.taskQueue });
  const subagentProviders = localProviders();
  await loadPlugins({ paths: config.plugins, registry, live, agents, subagentProviders });
  const secrets = new SecretBox(config.secretsKeys.map((key) => key.reveal()));
  const llm = configuredModels(config.providers, { database, secrets });
  const facts = new SessionFactsReader({ database });
  const model = onceFound(() => defaultModel(llm, config.providers.default));
  if (config.hooks) addHooks({ settings: config.hooks, registry, facts, defaultModel: model, ...input });
  offerMcp({
    servers: world.mcp,
    layer: registry.global,
    resourceTools: builtInTools(config, { presence: 'changing' }),
    warn: (message) => log.warn(message),
  });
  const bundles = new Bundles({
    database,
    registry,
    processes: world.ports.processes,
    root: join(resolve(config.dataDir), 'bundles'),
    owner: projection.owner,
    modelProviders: llm.providers().map(({ id }) => id),
    warn: (message) => log.warn(message),
  });
  await bundles.start();
  refuseUnknownNames(registry, config);
  return {
    database,
    projection,
    facts,
    effects: new EffectRunner({ ledger: projectionLedger(projection) }),
    drain: new ChunkDrain({ append: (parts) => appendChunks(projection, parts) }),
    values: new Values({ database }),
    derived: new DerivedSessions(),
    pictures: new ShownPictures({ database }),
    llm,
    defaultModel: model,
    registry,
    subagentProviders,
    toolsets: config.toolsets,
    toolsMode: config.toolsMode,
    programs: new ProgramPool(),
    live,
    agents,
    bundles,
    searchAttributes: input.searchAttributes,
    stepIsolation: config.stepIsolation,
    log,
    settings,
    permissionMode: config.permissionMode,
    plan: config.plan,
    ...howToAsk(config),
    listenerTimeoutMs: config.listenerTimeoutMs,
    webhookFetch: guardedFetch(config.webhooks.allowAddresses),
    secrets,
    retry: { ...DEFAULT_RETRY, ...config.retry },
    home: resolve(config.dataDir),
    managedEnvironment: new ManagedEnvironment(),
    ports: world.ports,
    resources: world.resources,
    machine: { host, lanes: new Lanes(), endSession: world.endSession },
  };
}

/** How requests to models are made. */
const howToAsk = (config: WorkerConfig) => ({
  ...(config.toolOrder && { toolOrder: config.toolOrder }),
  maxParallelToolCalls: 10,
  instructionsBytes: config.instructionsBytes,
  checkRequests: config.checkRequests,
  compaction: config.providers.compaction,
  titles: config.titles,
});

function refuseUnknownNames(registry: Registry, { toolsets, toolOrder }: WorkerConfig): void {
  refuseUnknownToolsets(registry, toolsets);
  refuseToolOrder(registry, toolOrder);
}

function refuseUnknownToolsets({ global }: Registry, wanted: readonly string[]): void {
  const unknown = wanted.filter((name) => !global.toolsets.has(name));
  if (unknown.length === 0) return;
  throw new PluginError(
    'PLUGIN_UNKNOWN_TOOLSET',
    `EVERTURN_TOOLSETS: no set is named ${unknown.join(', ')}. Known: ${[...global.toolsets.keys()].toSorted().join(', ') || '(none)'}.`,
  );
}

function refuseToolOrder({ global }: Registry, order: readonly string[] | undefined): void {
  const known = (name: string) =>
    [global.tools, global.codeTools, ...global.toolsets.values()].some((tools) => tools.has(name)) ||
    [...global.changing].some((beginning) => name.startsWith(beginning));
  const wrong = order && checkToolOrder(order, known);
  if (wrong) throw new PluginError('PLUGIN_INVALID_TOOL_ORDER', `EVERTURN_TOOL_ORDER: ${wrong}.`);
}

/** Asks until there is an answer, then never again: a provider's list does not change under a running worker. */
function onceFound<T>(find: () => Promise<T | undefined>): () => Promise<T | undefined> {
  let found: T | undefined;
  return async () => (found ??= await find());
}

const liveBus = (log: Logger) =>
  createLiveBus({ onError: (error, { kind }) => log.warn({ err: error, kind }, 'a live observer failed') });
