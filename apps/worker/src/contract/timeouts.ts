import type { ActivityCancellationType, ActivityOptions } from '@temporalio/common';

/** A body that takes longer beats this often; below the throttle a cancel takes long to arrive. */
export const HEARTBEAT_EVERY_MS = 200;
/** No beat for this long = the attempt is lost. */
export const HEARTBEAT_TIMEOUT_MS = 3_000;
/** How long a cancelled body may take before the step settles without it. */
export const CANCEL_GRACE_MS = 10_000;
/** How long work for a host may lie in its queue before `assignHost` is asked whether the host lives. */
export const HOST_SCHEDULE_TO_START_MS = 30_000;
/** Added to a tool's own cap. */
const TOOL_MARGIN_MS = 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Temporal retries for ever what fails before a claim is taken; claims decide everything after it. */
const UNTIL_IT_WORKS = { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 5_000 } as const;
const WAIT: ActivityCancellationType = 'WAIT_CANCELLATION_COMPLETED';

/** Short activities that need only Postgres; with Postgres down they wait. They beat, or a dead worker's would be missed late. */
export const LOG_OPTIONS: ActivityOptions = {
  startToCloseTimeout: 30_000,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: UNTIL_IT_WORKS,
};

/** Settling and recovery wait for live leases, so they may take longer than a commit. */
export const SETTLE_OPTIONS: ActivityOptions = {
  startToCloseTimeout: 120_000,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: UNTIL_IT_WORKS,
};

/** A session may begin with a copy of a long log. */
export const BIRTH_OPTIONS: ActivityOptions = { ...SETTLE_OPTIONS, startToCloseTimeout: 3_600_000 };

/** Composition and listeners, which run on model workers because they know the registry. */
export const REGISTRY_OPTIONS: ActivityOptions = {
  startToCloseTimeout: 600_000,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: WAIT,
  retry: UNTIL_IT_WORKS,
};

/** No total timeout: liveness is heartbeat and lease. */
export const MODEL_OPTIONS: ActivityOptions = {
  startToCloseTimeout: WEEK_MS,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: WAIT,
  retry: UNTIL_IT_WORKS,
};

/** Nobody waits for a title: what does not come in time is given up. */
export const TITLE_OPTIONS: ActivityOptions = {
  scheduleToCloseTimeout: 180_000,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: WAIT,
  retry: UNTIL_IT_WORKS,
};

/** `cap` is the tool's own in ms; a tool without one is bounded by liveness alone. */
export function toolOptions(cap: number | undefined, queue: string | undefined): ActivityOptions {
  return {
    startToCloseTimeout: cap === undefined ? WEEK_MS : cap + TOOL_MARGIN_MS,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    cancellationType: WAIT,
    retry: UNTIL_IT_WORKS,
    ...(queue === undefined ? {} : { taskQueue: queue, scheduleToStartTimeout: HOST_SCHEDULE_TO_START_MS }),
  };
}

/** A host that does not take the task is gone or stopping, and then holds nothing any more. */
export const RELEASE_OPTIONS: ActivityOptions = {
  scheduleToStartTimeout: 10_000,
  startToCloseTimeout: 30_000,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  retry: { maximumAttempts: 1 },
};

/** Best effort and at once: what it is about also reaches the machine by heartbeats. */
export const CONTROL_OPTIONS: ActivityOptions = {
  scheduleToStartTimeout: 5_000,
  startToCloseTimeout: 5_000,
  retry: { maximumAttempts: 1 },
};

/** Programs end at their own limit, from outside if need be. */
export const PROGRAM_OPTIONS: ActivityOptions = {
  startToCloseTimeout: WEEK_MS,
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: WAIT,
  retry: UNTIL_IT_WORKS,
};

/** Upkeep walks over every tenant and beats while it does. */
export const MAINTENANCE_OPTIONS: ActivityOptions = {
  startToCloseTimeout: 3_600_000,
  heartbeatTimeout: 60_000,
  retry: { ...UNTIL_IT_WORKS, maximumAttempts: 5 },
};
