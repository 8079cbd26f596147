import { chmodSync, mkdirSync } from 'node:fs';
import { bundleApart } from '../../temporal/bundle-apart.ts';
import { findBubblewrap } from '../../sandbox/find-bubblewrap.ts';
import { clusterFromEnvironment, defaultNamespace } from '../cluster-environment.ts';
import { prepareCluster } from '../prepare-cluster.ts';
import { devApiKey, devTenant } from './dev-api-key.ts';
import { type StackPaths, workspaceRoot } from './paths.ts';
import { showing, type Tell } from './progress.ts';
import { secretsKey } from './secrets-key.ts';
import type { Service } from './service.ts';
import { api } from './services/api.ts';
import { postgres } from './services/postgres.ts';
import { namesOwnModel, scriptedModel } from './services/scripted-model.ts';
import { temporal } from './services/temporal.ts';
import { worker } from './services/worker.ts';
import type { Supervisor } from './supervisor.ts';

/** Makes the data folder; as root open to pass through, because Postgres then runs as another user. */
export function makeDataFolder(paths: StackPaths): void {
  mkdirSync(paths.dataDir, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(paths.dataDir, 0o711);
  mkdirSync(paths.workspaces, { recursive: true });
}

/** The user's environment with our defaults. */
export function baseEnvironment(paths: StackPaths, env: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...Object.fromEntries(given),
    EVERTURN_DATA_DIR: paths.dataDir,
    TEMPORAL_NAMESPACE: env['TEMPORAL_NAMESPACE'] || defaultNamespace,
  };
}

/** Starts database and Temporal, unless the environment names others, and prepares both. */
export async function startServers(supervisor: Supervisor): Promise<void> {
  await supervisor.start(...neededServers(supervisor.environment));
  await prepare(supervisor);
}

/** Starts everything: the servers, our own processes in the order they need one another, a key for the dev tenant. */
export async function startAll(supervisor: Supervisor, paths: StackPaths): Promise<void> {
  const model = namesOwnModel(supervisor.environment) ? [] : [scriptedModel];
  await supervisor.start(...neededServers(supervisor.environment), ...model);
  await Promise.all([prepare(supervisor), provideBundle(supervisor), provideSandbox(supervisor, paths)]);
  const given = supervisor.environment['EVERTURN_SECRETS_KEY'];
  supervisor.provide({ EVERTURN_SECRETS_KEY: secretsKey(paths.secretsKey, given) });
  await supervisor.start(worker, api);
  const work = () => devApiKey(paths.apiKey, supervisor.environment);
  const key = await showing('api key', work, () => `tenant ${devTenant}`);
  supervisor.provide({ EVERTURN_API_KEY: key });
}

function neededServers(given: Readonly<Record<string, string>>): Service[] {
  return [...(given['DATABASE_URL'] ? [] : [postgres]), ...(given['TEMPORAL_ADDRESS'] ? [] : [temporal])];
}

async function prepare(supervisor: Supervisor): Promise<void> {
  const databaseUrl = supervisor.environment['DATABASE_URL'];
  const cluster = clusterFromEnvironment(supervisor.environment);
  const work = (tell: Tell) => prepareCluster({ ...cluster, databaseUrl, tell });
  await showing('prepare', work, () => 'schema and namespace are up to date');
}

// What confines commands, where it is not on the path; a worker that gets none says what it does instead.
async function provideSandbox(supervisor: Supervisor, { dataDir }: StackPaths): Promise<void> {
  const work = (tell: Tell) => findBubblewrap(dataDir, supervisor.environment, tell);
  const told = (found: string | undefined) => found ?? 'no bubblewrap: commands run by Landlock or not at all';
  const found = await showing('sandbox', work, told);
  if (found !== undefined) supervisor.provide({ EVERTURN_BUBBLEWRAP: found });
}

// One bundle for every start of the worker, so that it is back in a second when it dies.
async function provideBundle(supervisor: Supervisor): Promise<void> {
  const work = (tell: Tell) => {
    tell('bundling');
    return bundleApart(workspaceRoot);
  };
  supervisor.provide({ EVERTURN_WORKFLOW_BUNDLE: await showing('workflows', work, () => 'bundled') });
}
