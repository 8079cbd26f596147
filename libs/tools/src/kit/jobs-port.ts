import type { JobSummary } from '@everturn/core/domain';

/** How long `job_output` may wait, and how its wait ended. */
export type JobRead = { kind: 'read'; text: string } | { kind: 'unknown' } | { kind: 'aborted' };

/** The background jobs of the session that calls. Its members are for workflow code: waiting holds nothing. */
export interface JobsPort {
  list(): Promise<JobSummary[]>;
  /** What the job wrote since it was last read, after waiting for its end at most so long. */
  read(job: string, waitMs: number | undefined): Promise<JobRead>;
  /** Tells a job to end; answers it as it stood, `undefined` when there is none. */
  kill(job: string, reason: string | undefined): Promise<JobSummary | undefined>;
}

/** The job id a call names; throws for one that names nothing. */
export function requireJobId(id: string): string {
  if (id.trim() === '') throw new Error(`invalid job_id: expected a non-empty string, got ${JSON.stringify(id)}`);
  return id;
}

/** The port, where the call's session has one. */
export function requireJobs(jobs: JobsPort | undefined): JobsPort {
  if (!jobs) throw new Error('background jobs unavailable: no job controller serves this call');
  return jobs;
}
