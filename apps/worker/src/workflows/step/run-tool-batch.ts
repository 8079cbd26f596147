import { planToolBatch, type PlanToolBatchResult } from '@everturn/core/domain';
import { abortedResult } from '@everturn/tools/kit';
import { condition } from '@temporalio/workflow';
import type { RequestedCall } from '../../contract/index.ts';
import { finish, type CallRun } from './call-run.ts';
import { commitCall } from './commit-call.ts';
import { startCalls } from './start-calls.ts';
import { describeStep, publishTools } from './step-details.ts';
import type { StepState } from './step-state.ts';

/**
 * Runs the calls of one message. Starting is sequential and in model order, only bodies overlap; results are written
 * in model order over the finished prefix. A stop starts nothing more, waits for what runs, and answers the rest.
 */
export async function runToolBatch(step: StepState, calls: RequestedCall[]): Promise<void> {
  const runs: CallRun[] = calls.map((call) => ({ call, state: 'waiting' }));
  step.runs = runs;
  if (calls.length > 0) publishTools(step, calls);
  const isOver = () => runs.every((run) => run.state === 'committed');
  while (!isOver()) {
    await condition(() => hasWork(plan(step, runs)) || runs.some((run) => run.end?.kind === 'thrown'));
    await failIfThrown(runs);
    const { start, commit, abandon } = plan(step, runs);
    for (const index of commit) await commitAt(step, runs[index]);
    for (const index of abandon) finish(runs[index] as CallRun, abortedResult('before-dispatch'));
    if (start.length > 0) await startCalls(step, runs, start);
    else publish(step, runs);
    describeStep(step);
  }
}

const plan = (step: StepState, runs: CallRun[]): PlanToolBatchResult =>
  planToolBatch({
    calls: runs.map(({ call, state }) => ({ concurrency: call.concurrency, state })),
    maxParallel: step.assembly.maxParallelToolCalls,
    mode: step.stop.requested ? 'stopping' : 'running',
  });

const hasWork = ({ start, commit, abandon }: PlanToolBatchResult) => start.length + commit.length + abandon.length > 0;

async function commitAt(step: StepState, run: CallRun | undefined): Promise<void> {
  if (!run) return;
  await commitCall(step, run);
  run.state = 'committed';
}

/** Shows readers what has finished while the rest still runs; nobody waits for it here. */
function publish(step: StepState, runs: CallRun[]): void {
  if (step.writer.dirty && runs.some((run) => run.state === 'running')) void step.writer.flush().catch(() => undefined);
}

/** Bodies must not outlive the step, so a failure waits until none runs. */
async function failIfThrown(runs: CallRun[]): Promise<void> {
  const thrown = runs.map((run) => run.end).find((end) => end?.kind === 'thrown');
  if (thrown?.kind !== 'thrown') return;
  await condition(() => !runs.some((run) => run.state === 'running'));
  throw thrown.error;
}
