import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowClient } from '@temporalio/client';
import type { SessionId } from '@everturn/core/domain';
import { parseWorkflowId, sessionWorkflowId } from '@everturn/core/protocol';
import type { WorkflowAddress } from '@everturn/core/protocol';
import type { History } from './read-history.ts';

/** One run of one workflow. */
export interface Run {
  workflowId: string;
  /** Absent = the latest. */
  runId?: string;
}

/** How a run ended; `lost` = its history is gone. */
export type RunEnd = 'running' | 'completed' | 'failed' | 'terminated' | 'continued' | 'lost';

export interface WalkInput {
  client: WorkflowClient;
  session: SessionId;
  /** Whether a turn's or step's history is of interest. */
  wanted?: (address: WorkflowAddress) => boolean;
  visit(history: History): Promise<void>;
}
export interface WalkResult {
  runs: (Run & { end: RunEnd })[];
}

const AT_ONCE = 4;

/** Visits the history of every run of a session, its turns, steps and jobs that the server still has. */
export async function walkHistories(input: WalkInput): Promise<WalkResult> {
  const { client, session, wanted = () => true } = input;
  const seen = new Set<string>();
  const runs: WalkResult['runs'] = [];
  let waiting = await sessionRuns(client, session);
  while (waiting.length > 0) {
    const next = waiting.splice(0, AT_ONCE).filter((run) => {
      const address = parseWorkflowId(run.workflowId);
      const key = `${run.workflowId} ${run.runId ?? ''}`;
      if (address?.session !== session || seen.has(key) || !wanted(address)) return false;
      seen.add(key);
      return true;
    });
    const found = await Promise.all(next.map((run) => fetchRun(client, run)));
    for (const [index, history] of found.entries()) {
      const run = next[index] as Run;
      runs.push({ ...run, end: history ? endOf(history) : 'lost' });
      if (!history) continue;
      await input.visit(history);
      waiting = [...waiting, ...relatedRuns(run, history)];
    }
  }
  return { runs };
}

// The list knows runs that nothing links to, such as those before a resume; it may lag, so the latest run is asked for too.
async function sessionRuns(client: WorkflowClient, session: SessionId): Promise<Run[]> {
  const workflowId = sessionWorkflowId(session);
  const runs: Run[] = [];
  try {
    for await (const { runId } of client.list({ query: `WorkflowId = '${workflowId}'` })) runs.push({ workflowId, runId });
  } catch {
    // Lists are a convenience of the server; chains of runs lead to most of it.
  }
  try {
    const { runId } = await client.getHandle(workflowId).describe();
    runs.push({ workflowId, runId });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return runs;
}

/** Events of a page: what a client takes in one answer is 4 MiB, and one event of ours may have a quarter of one. */
const PAGE = 30;

/** The history of a run, or `undefined` when the server does not have it (any more). */
export async function fetchRun(client: WorkflowClient, { workflowId, runId }: Run): Promise<History | undefined> {
  const events: NonNullable<History['events']> = [];
  let nextPageToken: Uint8Array | undefined;
  try {
    do {
      const page = await client.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId, ...(runId !== undefined && { runId }) },
        maximumPageSize: PAGE,
        ...(nextPageToken && { nextPageToken }),
      });
      events.push(...(page.history?.events ?? []));
      nextPageToken = page.nextPageToken;
    } while (nextPageToken && nextPageToken.length > 0);
    return { events };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const NOT_FOUND = 5;
function isMissing(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND);
}

function relatedRuns({ workflowId }: Run, history: History): Run[] {
  const related: Run[] = [];
  const add = (id: string | null | undefined, runId: string | null | undefined): void => {
    if (id && runId) related.push({ workflowId: id, runId });
  };
  for (const event of history.events ?? []) {
    const started = event.workflowExecutionStartedEventAttributes;
    add(workflowId, started?.continuedExecutionRunId);
    add(workflowId, started?.firstExecutionRunId);
    add(workflowId, event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId);
    const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
    add(child?.workflowId, child?.runId);
  }
  return related;
}

function endOf(history: History): RunEnd {
  const last = history.events?.at(-1);
  if (last?.workflowExecutionCompletedEventAttributes) return 'completed';
  if (last?.workflowExecutionContinuedAsNewEventAttributes) return 'continued';
  if (last?.workflowExecutionTerminatedEventAttributes) return 'terminated';
  if (last?.workflowExecutionFailedEventAttributes || last?.workflowExecutionTimedOutEventAttributes) return 'failed';
  return last?.workflowExecutionCanceledEventAttributes ? 'failed' : 'running';
}
