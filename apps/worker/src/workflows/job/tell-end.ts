import { condition, getExternalWorkflowHandle } from '@temporalio/workflow';
import { sessionWorkflowId, type JobSettled } from '@everturn/core/protocol';
import type { JobState } from './job-state.ts';

/** How long somebody who was told may take to read, before the session is told that nobody has. */
const READING_MS = 60_000;

/**
 * Tells who waits, gives them time to read, and then tells the session, which asks the row whether somebody has.
 * Who begins to wait meanwhile is told, too.
 */
export async function tellEnd(job: JobState): Promise<void> {
  while (job.watchers.size > 0) {
    await tellWatchers(job);
    const news = () => job.watchers.size === 0 || waiting(job).length > 0;
    if (!(await condition(news, READING_MS))) break;
  }
  await tell(sessionWorkflowId(job.input.session), job);
  await tellWatchers(job);
}

const waiting = ({ watchers }: JobState): string[] =>
  [...watchers].filter(([, state]) => state === 'waiting').map(([watcher]) => watcher);

async function tellWatchers(job: JobState): Promise<void> {
  for (let left = waiting(job); left.length > 0; left = waiting(job)) {
    for (const watcher of left) {
      job.watchers.set(watcher, 'told');
      if ((await tell(watcher, job)) === 'gone') job.watchers.delete(watcher);
    }
  }
}

async function tell(workflowId: string, { ref }: JobState): Promise<'told' | 'gone'> {
  const news: JobSettled = { job: ref.job };
  return getExternalWorkflowHandle(workflowId)
    .signal<[JobSettled]>('jobSettled', news)
    .then(
      () => 'told',
      () => 'gone',
    );
}
