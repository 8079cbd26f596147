import type { Kysely } from 'kysely';
import { storableText, type Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import type { JobFact } from '../histories/job-facts.ts';

/** Writes the rows of background jobs that are missing; what they wrote is gone. Answers how many. */
export async function rebuildJobs(
  executor: Kysely<Tables>,
  { tenant, session }: Pick<SessionRef, 'tenant' | 'session'>,
  jobs: Iterable<JobFact>,
): Promise<number> {
  let restored = 0;
  for (const fact of jobs) {
    const { job, call, turn, step, startedAt, end } = fact;
    const result = await executor
      .insertInto('jobs')
      .values({
        session_id: session,
        id: job.id,
        tenant,
        kind: job.kind,
        number: Number(job.id.slice(job.id.lastIndexOf('-') + 1)),
        label: storableText(job.label),
        state: end?.state ?? (fact.stopping ? 'stopping' : 'running'),
        detail: end?.detail === undefined ? null : storableText(end.detail),
        call_key: call,
        turn,
        step,
        reported: isReported(fact),
        ...LOST_OUTPUT,
        started_at: new Date(startedAt),
        finished_at: end ? new Date(end.at) : null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    restored += Number(result.numInsertedOrUpdatedRows ?? 0n);
  }
  return restored;
}

/** As if one page had been dropped, which is what readers are told of. */
const LOST_OUTPUT = {
  last_page: 1,
  dropped_page: 1,
  kept_bytes: 0,
  total_bytes: 0,
  files: '[]',
  read_page: 0,
  read_from: 0,
  read_by: null,
};

const isReported = ({ told, readAt, end }: JobFact): boolean =>
  told === true || (end !== undefined && readAt !== undefined && readAt >= end.at);
