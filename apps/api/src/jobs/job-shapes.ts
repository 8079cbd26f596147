import { JobId, JobState, SessionId } from '@everturn/core/domain';
import type { Job } from '@everturn/core/postgres';
import { z } from 'zod';
import { wholeNumber } from '../platform/schemas/query-values.ts';

/** `:id` of a session and one of its jobs. */
export const JobPath = z.strictObject({
  id: SessionId.describe('the session'),
  job: JobId.describe('the job, such as bash-1'),
});
export type JobPath = z.output<typeof JobPath>;

export const JobView = z.strictObject({
  id: z.string(),
  kind: z.string(),
  label: z.string().describe('what it runs'),
  state: JobState.describe('stopping: told to end, and not seen to have; the last three are final'),
  detail: z.string().optional(),
  turn: z.int(),
  step: z.int(),
  outputBytes: z.int().describe('what it has written so far'),
  startedAt: z.string(),
  finishedAt: z.string().optional(),
});
/** One background job. */
export type JobView = z.output<typeof JobView>;
export const JobList = z.strictObject({ jobs: z.array(JobView) });

/** Which pages of output are wanted. */
export const OutputQuery = z.strictObject({
  after: wholeNumber({ min: 0, max: 2_000_000_000 }).optional().describe('only pages after this one; default 0'),
  limit: wholeNumber({ min: 1, max: 200 }).optional().describe('most pages; default 50'),
});
export type OutputQuery = z.output<typeof OutputQuery>;

export const OutputPages = z.strictObject({
  pages: z.array(
    z.strictObject({
      page: z.int(),
      stream: z.enum(['stdout', 'stderr', 'notice']),
      text: z.string(),
      dropped: z.boolean().describe('more was written before it than could be kept'),
      at: z.string(),
    }),
  ),
  next: z.int().nullable().describe('give it as `after` for what follows; null where nothing does yet'),
});
/** Output in the order it was written; the oldest is dropped once there is too much. */
export type OutputPages = z.output<typeof OutputPages>;

/** A row as clients see it. */
export function jobView({ startedAt, finishedAt, ...job }: Job): JobView {
  return {
    ...job,
    startedAt: startedAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
  };
}
