import { sql } from 'kysely';
import type { JobId } from '@everturn/core/domain';
import type { SessionRef } from '../contract/index.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

/**
 * Shuts the jobs that a dead turn was given and that nobody has begun, so that nobody will; answers them, also when
 * asked again. A job that has begun goes on.
 */
export async function voidUnbegunJobs(
  { database }: Projection,
  { tenant, session, turn }: Pick<SessionRef, 'tenant' | 'session'> & { turn: number },
): Promise<ReadonlySet<JobId>> {
  const { rows } = await asProjectionError(() =>
    sql<{ id: JobId }>`
      with shut as (
        insert into claims (session_id, key, tenant, state, turn)
        select session_id, 'job:' || id, tenant, 'void', turn from jobs
        where tenant = ${tenant} and session_id = ${session} and turn = ${turn} and state in ('running', 'stopping')
        on conflict (session_id, key) do nothing
        returning key
      ), ended as (
        update jobs set state = 'failed', detail = 'not started', reported = true, finished_at = clock_timestamp()
        where tenant = ${tenant} and session_id = ${session} and 'job:' || id in (select key from shut)
        returning id
      )
      select id from ended
      union
      select id from jobs
      where tenant = ${tenant} and session_id = ${session} and turn = ${turn} and exists (
        select from claims where session_id = jobs.session_id and key = 'job:' || jobs.id and state = 'void')`.execute(
      database,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}
