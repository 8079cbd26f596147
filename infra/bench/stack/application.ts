import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantId } from '@everturn/core/domain';
import { createApiKey } from '@everturn/core/postgres';
import { type NodeChild, startNodeChild } from '../../dev/stack/node-child.ts';
import { workspaceRoot } from '../../dev/stack/paths.ts';
import { bundleWorkflows } from '../../temporal/bundle-workflows.ts';
import { ModelControl } from '../model/model-control.ts';
import type { Plan } from '../model/plan.ts';
import { ApiClient } from './api-client.ts';
import type { BenchPaths } from './paths.ts';
import type { Servers } from './servers.ts';

type Environment = Readonly<Record<string, string>>;

/** The product on the bench's servers: one worker and one API process, and the bench's model. */
export interface Application {
  readonly api: ApiClient;
  readonly model: ModelControl;
  /** The workspace of all sessions; holds `note.txt`. */
  readonly workspace: string;
  /** Creates sessions that are answered by a plan, and returns their ids. */
  createSessions(count: number, plan: Plan, options?: Readonly<Record<string, unknown>>): Promise<string[]>;
  pids(): { readonly worker: number; readonly api: number; readonly model: number };
  /** Ends the worker in order, and starts one with these variables over the usual ones. */
  restartWorker(over?: Environment): Promise<void>;
  /** kill -9 of the worker, and a new one at once; resolves when the old one is gone. */
  crashWorker(): Promise<void>;
  stop(): Promise<void>;
}

/** A tool call that costs as little as a real one can: a file of one line. */
export const smallCall = { name: 'read', arguments: { file_path: 'note.txt' }, numbered: 'limit' } as const;

/** Starts worker, API and model; `over` is laid over the worker's environment. */
export async function startApplication(servers: Servers, paths: BenchPaths, over: Environment): Promise<Application> {
  const { logs, scratch } = paths;
  const workspace = join(scratch, 'workspaces', 'bench');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, 'note.txt'), 'a line\n');
  const start = (name: string, entry: string, environment: Environment) =>
    startNodeChild({ name, entry, environment, logs });

  const model = await start('model', 'infra/bench/model/main.ts', bareEnvironment());
  const control = new ModelControl(Number(model.ready['port']));
  const environment = applicationEnvironment(servers, scratch, control.providerUrl);
  const workerEnvironment = { ...environment, EVERTURN_WORKFLOW_BUNDLE: await bundleWorkflows(workspaceRoot), ...over };
  const startWorker = (more: Environment = {}) =>
    start('worker', 'apps/worker/src/main.ts', { ...workerEnvironment, ...more });
  let worker: Promise<NodeChild> = startWorker();
  let { pid: workerPid } = await worker;
  const api = await start('api', 'apps/api/src/main.ts', { ...environment, EVERTURN_API_PORT: '0' });
  const { secret } = await createApiKey(servers.database, { tenant: 'bench' as TenantId });
  const client = new ApiClient(`http://127.0.0.1:${String(api.ready['port'])}`, secret);

  return {
    api: client,
    model: control,
    workspace,
    pids: () => ({ worker: workerPid, api: api.pid, model: model.pid }),
    async createSessions(count, plan, options = {}) {
      const ids = Array.from({ length: count }, () => `bench-${randomUUID()}`);
      await control.plan(ids, plan);
      await Promise.all(ids.map((id) => client.createSession(id, { workspace, ...options })));
      return ids;
    },
    async restartWorker(more = {}) {
      await (await worker).stop();
      worker = startWorker(more);
      ({ pid: workerPid } = await worker);
    },
    async crashWorker() {
      const { exited } = await worker;
      process.kill(workerPid, 'SIGKILL');
      await exited;
      worker = startWorker();
      worker.then(
        ({ pid }) => (workerPid = pid),
        () => {},
      );
    },
    async stop() {
      const running = await worker.catch(() => undefined);
      await Promise.all([running?.stop(), api.stop(), model.stop()]);
    },
  };
}

// Nothing of the user's settings may reach what is measured.
function bareEnvironment(): Environment {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function applicationEnvironment({ environment }: Servers, scratch: string, baseUrl: string): Environment {
  const providers = join(scratch, 'providers.json');
  const route = { id: 'bench', name: 'Bench (not a model)', dialect: 'scripted', baseUrl, models: [{ id: 'bench' }] };
  const chosen = { provider: 'bench', model: 'bench' };
  writeFileSync(providers, JSON.stringify({ routes: [route], default: chosen }));
  return {
    ...bareEnvironment(),
    ...environment,
    EVERTURN_DATA_DIR: scratch,
    EVERTURN_WORKSPACE_ROOTS: join(scratch, 'workspaces'),
    EVERTURN_PROVIDERS_FILE: providers,
    EVERTURN_LOG_LEVEL: 'warn',
  };
}
