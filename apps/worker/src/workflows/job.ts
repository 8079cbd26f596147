import { CancellationScope } from '@temporalio/workflow';
import type { JobInput, RunJobResult } from '../contract/index.ts';
import { describeJob } from './job/job-details.ts';
import { listenToJob, openJob, requestKill } from './job/job-state.ts';
import { runToEnd } from './job/run-to-end.ts';
import { sayWhy } from './job/say-why.ts';
import { tellEnd } from './job/tell-end.ts';
import { finishJob } from './proxies.ts';
import { failByValue } from './shared/fail-by-value.ts';
import { onCancel } from './shared/on-cancel.ts';

/** One background job: runs on its host to its end, then tells whoever waits for it, and its session. */
export async function jobWorkflow(input: JobInput): Promise<RunJobResult> {
  const cancelled = onCancel();
  return CancellationScope.nonCancellable(async () => {
    const job = openJob(input);
    listenToJob(job);
    cancelled(() => requestKill(job, { reason: 'cancelled in the Temporal UI' }));
    return failByValue(async () => {
      describeJob(job, { state: 'running' });
      const end = sayWhy(await runToEnd(job), { kind: input.job.kind, reason: job.reason });
      // The first to say how a job ended counts, which its session may have been when it closed.
      await finishJob({ ...job.ref, end });
      describeJob(job, end);
      await tellEnd(job);
      return { end };
    });
  });
}
