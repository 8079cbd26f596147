import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import type { WorkerConfig } from '@everturn/core/config';
import type { HostId } from '@everturn/core/domain';
import { taskQueues } from '@everturn/core/protocol';
import type { ActivityDeps, Courier, SendPrompt, UpkeepJobs } from '../activities/index.ts';
import {
  createControlActivities,
  createHostActivities,
  createMainActivities,
  createModelActivities,
} from '../activities/index.ts';
import type { LiveNotification } from '../contract/index.ts';
import { deploymentOptions } from './deployment.ts';
import type { FoundBundle } from './find-bundle.ts';

export interface QueueOptionsInput {
  config: WorkerConfig;
  connection: NativeConnection;
  dataConverter: DataConverter;
  deps: ActivityDeps;
  upkeep: UpkeepJobs;
  send: SendPrompt;
  courier: Courier;
  bundle: FoundBundle;
  host: HostId;
}

/** Commits take one for milliseconds, beside deliveries and programs that wait: those must not use them up. */
const MAIN_SLOTS = 500;
/** Bodies are mostly waiting for a provider, so many fit a process. */
const MODEL_SLOTS = 300;
/** Background jobs hold one each for as long as they run. */
const HOST_SLOTS = 500;
const CONTROL_SLOTS = 20;
/** Past the grace everything has been told to stop; what does not within this time is left behind. */
const FORCE_AFTER_GRACE_MS = 10_000;
const CACHED_WORKFLOWS = 300;

/** The workers of a process: one per queue, all of them by default. */
export function queueOptions(input: QueueOptionsInput): WorkerOptions[] {
  const { config, connection, dataConverter, deps, bundle } = input;
  const queues = taskQueues(config.temporal.taskQueue);
  const common = {
    connection,
    dataConverter,
    namespace: config.temporal.namespace,
    shutdownGraceTime: config.shutdownGraceMs,
    shutdownForceTime: config.shutdownGraceMs + FORCE_AFTER_GRACE_MS,
    // Cancels arrive with heartbeats: throttled more, they would take seconds.
    maxHeartbeatThrottleInterval: 300,
    defaultHeartbeatThrottleInterval: 300,
    ...deploymentOptions(config.temporal, bundle),
  } satisfies Partial<WorkerOptions>;
  return [
    {
      ...common,
      taskQueue: queues.main,
      workflowBundle: bundle.bundle,
      activities: createMainActivities(deps, input),
      maxConcurrentActivityTaskExecutions: MAIN_SLOTS,
      sinks: liveSink(deps),
      // A dead worker's cached workflows go to others after this long.
      stickyQueueScheduleToStartTimeout: 500,
      maxCachedWorkflows: config.maxCachedWorkflows ?? CACHED_WORKFLOWS,
    },
    {
      ...common,
      taskQueue: queues.model,
      activities: createModelActivities(deps),
      maxConcurrentActivityTaskExecutions: MODEL_SLOTS,
    },
    {
      ...common,
      taskQueue: queues.host(input.host),
      activities: createHostActivities(deps),
      maxConcurrentActivityTaskExecutions: HOST_SLOTS,
    },
    {
      ...common,
      taskQueue: queues.hostControl(input.host),
      activities: createControlActivities(deps),
      maxConcurrentActivityTaskExecutions: CONTROL_SLOTS,
    },
  ];
}

function liveSink({ live, registry }: ActivityDeps): NonNullable<WorkerOptions['sinks']> {
  return {
    live: {
      publish: {
        fn: (_info: unknown, notification: LiveNotification) => {
          live.publish(notification);
          if (notification.kind === 'agent/disposed') registry.dispose(notification.session);
        },
        callDuringReplay: false,
      },
    },
  };
}
