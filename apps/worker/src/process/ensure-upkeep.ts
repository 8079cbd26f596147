import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { MAINTENANCE_WORKFLOW, maintenanceWorkflowId, taskQueues } from '@everturn/core/protocol';
import type { Logger } from 'pino';
import { describeFailure } from '../activities/failure.ts';
import type { MaintenanceInput } from '../contract/index.ts';

export interface EnsureUpkeepInput {
  client: Client;
  /** Prefix of the task queues. */
  queues: string;
  log: Logger;
}

const EVERY = '15 minutes';

/**
 * Makes the native Schedule that runs upkeep, unless there is one: operators may change or pause theirs. Best effort,
 * because a key that may not make schedules still runs sessions; then somebody else has to.
 */
export async function ensureUpkeep({ client, queues, log }: EnsureUpkeepInput): Promise<void> {
  const id = upkeepScheduleId(queues);
  const input: MaintenanceInput = { job: 'all' };
  try {
    await client.schedule.create({
      scheduleId: id,
      spec: { intervals: [{ every: EVERY }], jitter: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: MAINTENANCE_WORKFLOW,
        workflowId: id,
        taskQueue: taskQueues(queues).main,
        args: [input],
      },
      // A run that was missed is made up for by the next.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      state: { note: 'Everturn: finishes births, seals turns, expires keys, collects unused values' },
    });
    log.info({ schedule: id, every: EVERY }, 'upkeep is scheduled');
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return;
    log.warn(
      { schedule: id, reason: describeFailure(error) },
      'upkeep could not be scheduled; sessions run, but nothing is sealed until a worker that may do it starts',
    );
  }
}

/** Deployments that share a namespace each have their own. */
export const upkeepScheduleId = (queues: string): string =>
  maintenanceWorkflowId(queues === taskQueues().main ? 'all' : `all@${queues}`);
