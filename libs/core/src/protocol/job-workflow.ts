import type { JobId } from '../domain/index.ts';

/** Type name as Temporal sees it. */
export const JOB_WORKFLOW = 'jobWorkflow';

/** Signal `kill` of a job: end it, and tell nobody that it ended. */
export interface KillJob {
  /** Who wants it, for people. */
  reason?: string;
}

/** Signals `watch` and `unwatch` of a job: a workflow waits for its end, or does not any more. */
export interface WatchJob {
  /** The workflow that waits; it gets a {@link JobSettled}. */
  watcher: string;
}

/** Signal `jobSettled` of a job to its session and to who waits for it. */
export interface JobSettled {
  job: JobId;
}
