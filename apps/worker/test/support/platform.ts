import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { openDatabase, type Database } from '@everturn/core/postgres';
import {
  spawnProcess,
  startScriptedModel,
  startServer,
  testDatabase,
  testTemporal,
  type ScriptedModel,
  type SpawnedProcess,
  type TestServer,
} from '@everturn/core/testing';

export interface PlatformOptions {
  /** Servers of the test's own, because it kills them; others are the run's. */
  own?: readonly ('postgres' | 'temporal')[];
  /** For a Temporal of the test's own: more values of its dynamic config, `name=JSON`. */
  temporalConfig?: readonly string[];
  /** Laid over the worker's environment. */
  worker?: Record<string, string>;
  /** Laid over the API's environment. */
  api?: Record<string, string>;
  /** Told the database's own address before the processes start; what it answers is laid over both environments. */
  through?: (databaseUrl: string) => Promise<Record<string, string>>;
}

/** What a stack runs on: servers, one worker and one API process, and where their models are. */
export interface Platform {
  readonly client: Client;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly temporal: { address: string; namespace: string };
  readonly dataDir: string;
  /** What the processes are told. */
  readonly environment: Record<string, string | undefined>;
  readonly postgresServer?: TestServer;
  readonly temporalServer?: TestServer;
  worker(): SpawnedProcess;
  apiProcess(): SpawnedProcess;
  apiUrl(): string;
  startWorker(env?: Record<string, string>): Promise<void>;
  startApi(): Promise<void>;
  model(): ScriptedModel;
  /** Makes it fit for another file: a model without scripts at the same address, what was left dead or changed as at first. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts everything; `stop` ends and removes it. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const own = new Set(options.own);
  const [postgresServer, temporalServer, shared, namespace] = await Promise.all([
    own.has('postgres') ? startServer('postgres') : undefined,
    own.has('temporal') ? startServer('temporal', { dynamicConfig: options.temporalConfig ?? [] }) : undefined,
    own.has('postgres') ? undefined : testDatabase(),
    own.has('temporal') ? undefined : testTemporal(),
  ]);
  const databaseUrl = postgresServer?.url ?? shared?.url ?? '';
  const temporal = {
    address: temporalServer?.url ?? namespace?.address ?? '',
    namespace: temporalServer?.namespace ?? namespace?.namespace ?? '',
  };
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-stack-')));
  mkdirSync(join(dataDir, 'workspaces'));
  let model = await startScriptedModel();
  const environment = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EVERTURN_DATA_DIR: dataDir,
    EVERTURN_WORKSPACE_ROOTS: join(dataDir, 'workspaces'),
    EVERTURN_SCRIPTED_URL: model.url,
    EVERTURN_LOG_LEVEL: 'warn',
    EVERTURN_CHECK_REQUESTS: 'on',
    EVERTURN_SECRETS_KEY: randomBytes(32).toString('base64'),
    EVERTURN_BUBBLEWRAP: process.env['EVERTURN_TEST_BUBBLEWRAP'],
    OPENAI_BASE_URL: undefined,
    OPENAI_API_KEY: undefined,
    DEEPSEEK_API_KEY: undefined,
    ANTHROPIC_API_KEY: undefined,
    ...(await options.through?.(databaseUrl)),
  };
  const database = openDatabase(databaseUrl);
  const client = new Client({
    connection: await Connection.connect({ address: temporal.address }),
    namespace: temporal.namespace,
  });

  let worker: SpawnedProcess | undefined;
  let api: SpawnedProcess | undefined;
  let port = '0';
  /** Which processes are as the options want them, and alive. */
  const sound = new Set<SpawnedProcess>();
  const watched = (process: SpawnedProcess) => {
    sound.add(process);
    void process.exited.then(() => sound.delete(process));
    return process;
  };
  const startWorker = async (env: Record<string, string> = {}) => {
    const started = await spawnProcess('apps/worker/src/main.ts', { ...environment, ...options.worker, ...env });
    worker = Object.keys(env).length > 0 ? started : watched(started);
  };
  const startApi = async () => {
    const env = { ...environment, ...options.api, EVERTURN_API_PORT: port };
    api = watched(await spawnProcess('apps/api/src/main.ts', env));
    port = String(api.ready['port']);
  };
  await Promise.all([startWorker(), startApi()]);

  return {
    client,
    database,
    databaseUrl,
    temporal,
    dataDir,
    environment,
    ...(postgresServer && { postgresServer }),
    ...(temporalServer && { temporalServer }),
    worker: () => running(worker, 'worker'),
    apiProcess: () => running(api, 'api'),
    apiUrl: () => `http://127.0.0.1:${port}`,
    startWorker,
    startApi,
    model: () => model,
    async renew() {
      const startAgain = async (process: SpawnedProcess | undefined, start: () => Promise<void>) => {
        if (process && sound.has(process)) return;
        await process?.kill9();
        await start();
      };
      await model.close();
      model = await startScriptedModel({ port: model.port });
      await Promise.all([startAgain(worker, startWorker), startAgain(api, startApi)]);
    },
    async stop() {
      await Promise.all([worker?.stop(10_000), api?.stop(10_000)]);
      await model.close();
      await client.connection.close();
      await database.destroy();
      await Promise.all([shared?.drop(), postgresServer?.drop(), temporalServer?.drop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function running(process: SpawnedProcess | undefined, name: string): SpawnedProcess {
  if (!process) throw new Error(`the ${name} was never started`);
  return process;
}
