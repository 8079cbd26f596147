import { condition, defineSignal, getExternalWorkflowHandle, setHandler, workflowInfo } from '@temporalio/workflow';
import { isJobOver, JobId } from '@everturn/core/domain';
import { jobWorkflowId, type JobSettled, type KillJob, type WatchJob } from '@everturn/core/protocol';
import type { JobRead, JobsPort } from '@everturn/tools/kit';
import { placedClaim, type RequestedCall } from '../../contract/index.ts';
import { listJobs, readJob, stopJob } from '../proxies.ts';
import { stepRef, type StepState } from './step-state.ts';

/** Ends of jobs that a step was told of because it waits for them. */
export class JobNews {
  readonly #over = new Set<string>();

  /** Takes over what the steps before in the same workflow listened to. */
  constructor() {
    setHandler(defineSignal<[JobSettled]>('jobSettled'), ({ job }) => void this.#over.add(job));
  }

  isOver(job: string): boolean {
    return this.#over.has(job);
  }
}

/** The session's jobs as one call of a step may use them. */
export function jobsOf(step: StepState, call: RequestedCall): JobsPort {
  const { turn, step: number } = step.input;
  const ref = stepRef(step.input);
  const reader = placedClaim({ turn, step: number, call, parent: step.program });
  return {
    list: async () => (await listJobs(ref)).jobs,
    async read(id, waitMs): Promise<JobRead> {
      const job = JobId.safeParse(id);
      if (!job.success) return { kind: 'unknown' };
      const read = () => readJob({ ...ref, job: job.data, reader });
      return waitMs === undefined ? read() : readAfter(step, job.data, { waitMs, read });
    },
    async kill(id, reason) {
      const job = JobId.safeParse(id);
      if (!job.success) return undefined;
      await step.writer.flush(); // the call is in the log before anything is done
      const found = await stopJob({ ...ref, job: job.data });
      if (found.kind === 'unknown') return undefined;
      if (!isJobOver(found.job.state)) await send(step, job.data, 'kill', reason === undefined ? {} : { reason });
      return found.job;
    },
  };
}

/** Waits without holding anything: the job's workflow tells. It tells the session only once this step has read. */
async function readAfter(
  step: StepState,
  job: JobId,
  { waitMs, read }: { waitMs: number; read: () => Promise<JobRead> },
): Promise<JobRead> {
  const { workflowId: watcher } = workflowInfo();
  await step.writer.flush(); // readers see what it waits for
  // One that is gone has ended, or never was: reading tells.
  const watched = await send(step, job, 'watch', { watcher });
  if (watched === 'gone') return step.stop.requested ? { kind: 'aborted' } : read();
  try {
    await condition(() => step.news.isOver(job) || step.stop.requested, waitMs);
    return step.stop.requested ? { kind: 'aborted' } : await read();
  } finally {
    await send(step, job, 'unwatch', { watcher });
  }
}

async function send(
  { input }: StepState,
  job: JobId,
  signal: 'kill' | 'watch' | 'unwatch',
  message: KillJob | WatchJob,
): Promise<'sent' | 'gone'> {
  return getExternalWorkflowHandle(jobWorkflowId(input.session, job))
    .signal<[KillJob | WatchJob]>(signal, message)
    .then(
      () => 'sent',
      () => 'gone',
    );
}
