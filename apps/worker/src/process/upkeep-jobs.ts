import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import type { SessionId } from '@everturn/core/domain';
import { collectBlobs, collectPayloads, discardStartingSession, listStartingSessions } from '@everturn/core/postgres';
import {
  SESSION_WORKFLOW,
  sessionWorkflowId,
  taskQueues,
  WORKFLOW_TASK_TIMEOUT_MS,
  type SessionInput,
} from '@everturn/core/protocol';
import type { UpkeepJobs } from '../activities/index.ts';
import { expireKeys, sealDue, type Projection } from '../projection/index.ts';

/** A birth that takes longer than this has lost whoever attended it. */
const STARTING_FOR_MS = 60_000;
/** An agent that is prepared is started at once, or when a worker is back. */
const ABANDONED_FOR_MS = 7 * 24 * 3_600_000;
/** Well before histories expire, and late enough that a busy session is sealed in portions, not after each turn. */
const SEAL_AFTER_MS = 24 * 3_600_000;
const PER_RUN = 500;

export interface UpkeepInput {
  projection: Projection;
  client: Client;
  /** Prefix of the task queues. */
  queues: string;
}

/** What upkeep does, each job safe to repeat at any time. */
export function upkeepJobs({ projection, client, queues }: UpkeepInput): UpkeepJobs {
  return {
    sweep: (beat) => sweep({ projection, client, queues }, beat),
    seal: (progress) =>
      sealDue(projection, { client: client.workflow }, { endedForMs: SEAL_AFTER_MS, limit: PER_RUN, progress }),
    expire: async () => ({ expired: await expireKeys(projection) }),
    collect: async () => ({ collected: await collect({ projection, client }) }),
  };
}

/** Without knowing how long histories are kept nothing can be known to be unneeded. */
async function collect({ projection, client }: Pick<UpkeepInput, 'projection' | 'client'>): Promise<number> {
  const { config } = await client.workflowService.describeNamespace({ namespace: client.options.namespace });
  const retentionMs = optionalTsToMs(config?.workflowExecutionRetentionTtl);
  if (!retentionMs) return 0;
  const due = { retentionMs, limit: PER_RUN };
  return (await collectBlobs(projection.database, due)) + (await collectPayloads(projection.database, due));
}

async function sweep(input: UpkeepInput, beat: () => void): Promise<{ swept: number }> {
  return { swept: (await startForgotten(input, beat)) + (await discardAbandoned(input, beat)) };
}

/** Starts the workflow of every session whose row was written by somebody who then died. */
async function startForgotten({ projection, client, queues }: UpkeepInput, beat: () => void): Promise<number> {
  const births = { by: 'caller', olderThanMs: STARTING_FOR_MS, limit: PER_RUN } as const;
  const rows = await listStartingSessions(projection.database, births);
  let swept = 0;
  for (const { id, tenant, preview } of rows) {
    beat();
    const input: SessionInput = { session: id, tenant, queues, intent: 'open' };
    try {
      await client.workflow.start(SESSION_WORKFLOW, {
        workflowId: sessionWorkflowId(id),
        taskQueue: taskQueues(queues).main,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
        ...(preview && { staticSummary: preview }),
      });
      swept += 1;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }
  return swept;
}

/** Drops agents that were prepared by a call which was then stopped: nobody starts them, and their rows keep blobs. */
async function discardAbandoned({ projection, client }: UpkeepInput, beat: () => void): Promise<number> {
  const births = { by: 'agent', olderThanMs: ABANDONED_FOR_MS, limit: PER_RUN } as const;
  let dropped = 0;
  for (const { id, tenant } of await listStartingSessions(projection.database, births)) {
    beat();
    if (await hasWorkflow(client, id)) continue; // no worker has come to it yet
    if (await discardStartingSession(projection.database, { tenant, session: id })) dropped += 1;
  }
  return dropped;
}

async function hasWorkflow(client: Client, session: SessionId): Promise<boolean> {
  try {
    await client.workflow.getHandle(sessionWorkflowId(session)).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
