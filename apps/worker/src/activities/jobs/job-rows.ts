import { characterCut } from '@everturn/core/domain';
import {
  consumeOutput,
  endOrphanJobs,
  finishJob,
  listJobs,
  markAllStopping,
  markStopping,
  openChildren,
  type Job,
} from '@everturn/core/postgres';
import { jobOutputText } from '@everturn/tools/kit';
import type { FoundJob, JobRowActivities } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { failingAs } from '../failure.ts';
import { takeNotices } from './take-notices.ts';

/** A list travels through workflow code, and a session of weeks has had many jobs. */
const LISTED = 100;

/** Makes the activities about jobs that need only Postgres. */
export function jobRowActivities(deps: ActivityDeps): JobRowActivities {
  const { database, projection, settings } = deps;
  const found = (job: Job | undefined): FoundJob => {
    if (!job) return { kind: 'unknown' };
    const { id, kind, label, state, detail } = job;
    return { kind: 'found', job: { id, kind, label, state, ...(detail !== undefined && { detail }) } };
  };
  return {
    listJobs: (input) =>
      failingAs(async () => {
        await endOrphanJobs(database, input);
        const jobs = (await listJobs(database, input)).slice(-LISTED);
        return {
          jobs: jobs.map(({ id, kind, label, state }) => ({ id, kind, label: characterCut(label, 200), state })),
        };
      }),
    readJob: (input) =>
      failingAs(async () => {
        const output = await consumeOutput(database, input);
        if (!output) return { kind: 'unknown' };
        return { kind: 'read', text: jobOutputText(output, settings.jobs.outputLimitBytes) };
      }),
    stopJob: (input) =>
      failingAs(async () => {
        const job = await markStopping(database, input);
        projection.notifier.notify([input]);
        return found(job);
      }),
    finishJob: (input) =>
      failingAs(async () => {
        const job = await finishJob(database, { ...input, ...input.end });
        projection.notifier.notify([input]);
        return found(job);
      }),
    stopAllJobs: (input) =>
      failingAs(async () => {
        const children = await openChildren(database, input);
        return { jobs: await markAllStopping(database, input), ...(children.length > 0 && { children }) };
      }),
    takeNotices: (input) => failingAs(() => takeNotices(deps, input)),
  };
}
