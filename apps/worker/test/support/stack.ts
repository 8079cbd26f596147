import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { TenantId } from '@everturn/core/domain';
import { createApiKey, openDatabase, type Database } from '@everturn/core/postgres';
import {
  spawnProcess,
  startScriptedModel,
  startServer,
  testDatabase,
  testTemporal,
  type SpawnedProcess,
  type TestServer,
} from '@everturn/core/testing';
import { ApiClient } from './api-client.ts';

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

export interface StackOptions {
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

/** The whole product as it runs in production: real servers, one worker and one API process, a scripted model. */
export interface Stack {
  readonly api: ApiClient;
  readonly model: ScriptedModel;
  readonly client: Client;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly temporal: { address: string; namespace: string };
  /** An allowed workspace folder, empty at first. */
  readonly workspace: string;
  readonly dataDir: string;
  /** What the processes of the stack are told. */
  readonly environment: Record<string, string | undefined>;
  /** The tenant of the API's key. */
  readonly tenant: TenantId;
  readonly postgresServer?: TestServer;
  readonly temporalServer?: TestServer;
  worker(): SpawnedProcess;
  apiProcess(): SpawnedProcess;
  startWorker(env?: Record<string, string>): Promise<void>;
  startApi(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts everything; `stop` ends and removes it. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const own = new Set(options.own);
  const [postgresServer, temporalServer] = await Promise.all([
    own.has('postgres') ? startServer('postgres') : undefined,
    own.has('temporal') ? startServer('temporal', { dynamicConfig: options.temporalConfig ?? [] }) : undefined,
  ]);
  const shared = postgresServer ? undefined : await testDatabase();
  const databaseUrl = postgresServer?.url ?? shared?.url ?? '';
  const temporal = temporalServer
    ? { address: temporalServer.url, namespace: temporalServer.namespace }
    : await testTemporal();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-stack-')));
  const workspace = join(folder, 'workspaces', 'work');
  mkdirSync(workspace, { recursive: true });
  const model = await startScriptedModel();
  const environment = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EVERTURN_DATA_DIR: folder,
    EVERTURN_WORKSPACE_ROOTS: join(folder, 'workspaces'),
    EVERTURN_SCRIPTED_URL: model.url,
    EVERTURN_LOG_LEVEL: 'warn',
    OPENAI_BASE_URL: undefined,
    OPENAI_API_KEY: undefined,
    DEEPSEEK_API_KEY: undefined,
    ...(await options.through?.(databaseUrl)),
  };
  const database = openDatabase(databaseUrl);
  const tenant = 'test' as TenantId;
  const { secret } = await createApiKey(database, { tenant });
  const client = new Client({
    connection: await Connection.connect({ address: temporal.address }),
    namespace: temporal.namespace,
  });

  let worker: SpawnedProcess | undefined;
  let api: SpawnedProcess | undefined;
  let port = '0';
  const startWorker = async (env: Record<string, string> = {}) => {
    worker = await spawnProcess('apps/worker/src/main.ts', { ...environment, ...options.worker, ...env });
  };
  const startApi = async () => {
    api = await spawnProcess('apps/api/src/main.ts', { ...environment, ...options.api, EVERTURN_API_PORT: port });
    port = String(api.ready['port']);
  };
  await Promise.all([startWorker(), startApi()]);

  return {
    api: new ApiClient(() => `http://127.0.0.1:${port}`, secret),
    model,
    client,
    database,
    databaseUrl,
    temporal,
    workspace,
    dataDir: folder,
    environment,
    tenant,
    ...(postgresServer && { postgresServer }),
    ...(temporalServer && { temporalServer }),
    worker: () => running(worker, 'worker'),
    apiProcess: () => running(api, 'api'),
    startWorker,
    startApi,
    async stop() {
      await Promise.all([worker?.stop(10_000), api?.stop(10_000)]);
      await model.close();
      await client.connection.close();
      await database.destroy();
      await Promise.all([shared?.drop(), postgresServer?.drop(), temporalServer?.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function running(process: SpawnedProcess | undefined, name: string): SpawnedProcess {
  if (!process) throw new Error(`the ${name} was never started`);
  return process;
}
