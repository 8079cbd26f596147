import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { WorkerConfig } from '@everturn/core/config';
import type { HostId } from '@everturn/core/domain';
import { openDatabase, payloadStore } from '@everturn/core/postgres';
import { guardedConverter } from '@everturn/core/protocol';
import type { Logger } from 'pino';
import { openProjection } from '../projection/index.ts';
import { buildDeps } from './build-deps.ts';
import { deployStep } from './deployment.ts';
import { connectTemporal } from './connect-temporal.ts';
import { ensureUpkeep } from './ensure-upkeep.ts';
import { findBundle } from './find-bundle.ts';
import { holdHost } from './hold-host.ts';
import { openWorld } from './open-world.ts';
import { pollQueue } from './poll-queue.ts';
import { queueOptions } from './queue-options.ts';
import { hasSearchAttributes } from './search-attributes.ts';
import { sendNotifications } from './send-notifications.ts';
import { sessionCourier } from './session-courier.ts';
import { stopBodies } from './stop-bodies.ts';
import { sendPromptBy } from './send-prompt.ts';
import { tellEachChange, tellWhatWeOffer } from './tell-what-we-offer.ts';
import { upkeepJobs } from './upkeep-jobs.ts';
import { WorkerError } from './worker-error.ts';

export interface RunWorkerInput {
  config: WorkerConfig;
  log: Logger;
  /** Raised when the process is to stop; a reason that is a `WorkerError` means at once. */
  stopping: AbortController;
  /** Every queue is polled. */
  onReady(told: Record<string, unknown>): void;
}

/** Runs a worker process from its connections to the last body; resolves when it has stopped in order. */
export async function runWorker({ config, log, stopping, onReady }: RunWorkerInput): Promise<void> {
  const { signal } = stopping;
  await using cleanup = new AsyncDisposableStack();
  const database = openDatabase(config.database.url.reveal(), {
    applicationName: 'everturn-worker',
    onConnectionError: (error) => log.warn({ reason: error.message }, 'a database connection broke'),
  });
  cleanup.defer(() => database.destroy());
  const world = await openWorld(config, { roots: rootsOf(config), log, database });
  cleanup.defer(() => world.dispose());

  const owner = randomUUID();
  const host = await holdHost({
    database,
    host: hostIdOf(config),
    owner,
    roots: rootsOf(config),
    dataDir: resolve(config.dataDir),
    log,
    signal,
    onLost: () => stopping.abort(new WorkerError('WORKER_HOST_LOST', 'another worker took this host over')),
  });
  cleanup.defer(() => host.release().catch(() => undefined));
  const dataConverter = guardedConverter(payloadStore(database), (kept) =>
    log.error(kept, 'a payload was too large for Temporal and went to Postgres: a budget of ours failed'),
  );
  const [bundle, temporal] = await Promise.all([
    findBundle(config.workflowBundle, log),
    connectTemporal(config, { log, signal, dataConverter }),
    world.mcp.start().catch((error: Error) => {
      throw new WorkerError('WORKER_MCP_FAILED', `${error.message}. Correct EVERTURN_MCP_FILE.`);
    }),
  ]);
  cleanup.defer(() => temporal.close());

  const projection = openProjection({ database, owner, host });
  cleanup.defer(() => projection.notifier.flushed());
  const { namespace, taskQueue } = config.temporal;
  const searchable = await hasSearchAttributes({ connection: temporal.native, namespace, log });
  const parts = { config, projection, world, host, client: temporal.client, log };
  const deps = await buildDeps({ ...parts, searchAttributes: () => searchable });
  cleanup.defer(() => deps.programs.dispose());
  cleanup.defer(() => deps.bundles?.dispose());
  const tellAgain = tellEachChange(() => tellWhatWeOffer(deps, world, host), log);
  cleanup.defer(world.mcp.onChange(tellAgain));
  deps.bundles?.onApplied(tellAgain);
  await Promise.all([
    tellWhatWeOffer(deps, world, host),
    ensureUpkeep({ client: temporal.client, queues: taskQueue, log }),
  ]);
  const upkeep = upkeepJobs({ projection, client: temporal.client, queues: taskQueue });
  const send = sendPromptBy(temporal.client, taskQueue);
  const courier = sessionCourier(temporal.client);
  const common = { config, connection: temporal.native, dataConverter, deps, bundle, host: host.id };
  const queues = queueOptions({ ...common, upkeep, send, courier });
  stopBodies({ effects: deps.effects, graceMs: config.shutdownGraceMs, signal });
  const step = deployStep(config.temporal, bundle);
  let silent = queues.length;
  const onPolling = () => {
    silent -= 1;
    if (silent === 0 && step !== undefined) log.warn(step);
    if (silent === 0)
      onReady({
        build: bundle.build,
        host: host.id,
        epoch: host.epoch,
        queues: queues.map((queue) => queue.taskQueue),
      });
  };
  const { webhooks } = config;
  const sending = { ...deps, client: temporal.client, queues: taskQueue, retry: webhooks.retry, signal };
  await Promise.all([
    ...queues.map((options) => pollQueue({ options, log, stopping: signal, onPolling })),
    sendNotifications(sending),
  ]);
  await deps.effects.quiet();
}

/** Stable over restarts, so that sessions find their machine again. */
function hostIdOf({ hostId }: WorkerConfig): HostId {
  return (hostId ??
    (hostname()
      .replaceAll(/[^A-Za-z0-9._-]/g, '-')
      .slice(0, 128) ||
      'localhost')) as HostId;
}

function rootsOf({ workspaceRoots, dataDir }: WorkerConfig): string[] {
  return workspaceRoots.length > 0 ? [...workspaceRoots] : [join(resolve(dataDir), 'workspaces')];
}
