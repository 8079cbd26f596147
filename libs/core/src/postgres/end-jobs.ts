import { sql } from 'kysely';
import { isJobOver, type JobId, type JobState } from '../domain/index.ts';
import { storableText } from './columns.ts';
import type { Database } from './database.ts';
import { readJob, type Job, type JobKey, type SessionKey } from './jobs.ts';

/** Marks a job as told to end, after which nobody is told that it ended; answers it, over or not. */
export async function markStopping(database: Database, key: JobKey): Promise<Job | undefined> {
  const marked = await database
    .updateTable('jobs')
    .set({ state: 'stopping', reported: true })
    .where('tenant', '=', key.tenant)
    .where('session_id', '=', key.session)
    .where('id', '=', key.job)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (marked.numUpdatedRows > 0n) await touchSession(database, key);
  return readJob(database, key);
}

export interface FinishJobInput extends JobKey {
  state: Extract<JobState, 'completed' | 'killed' | 'failed'>;
  detail?: string;
}

/** Says how a job ended; the first to say it counts. Answers the job as it now stands. */
export async function finishJob(
  database: Database,
  { state, detail, ...key }: FinishJobInput,
): Promise<Job | undefined> {
  await database
    .updateTable('jobs')
    .set({
      state,
      detail: detail === undefined ? null : storableText(detail),
      finished_at: sql<Date>`date_trunc('milliseconds', clock_timestamp())`,
    })
    .where('tenant', '=', key.tenant)
    .where('session_id', '=', key.session)
    .where('id', '=', key.job)
    .where('state', 'in', ['running', 'stopping'])
    .execute();
  await touchSession(database, key);
  return readJob(database, key);
}

/** Marks all that runs of a session as told to end, and answers which. */
export async function markAllStopping(database: Database, { tenant, session }: SessionKey): Promise<JobId[]> {
  const rows = await database
    .updateTable('jobs')
    .set({ state: 'stopping', reported: true })
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('state', 'in', ['running', 'stopping'])
    .returning('id')
    .execute();
  return rows.map(({ id }) => id as JobId);
}

/** Jobs that are over and whose owner has not heard so, in the order they ended. */
export async function untoldJobs(database: Database, { tenant, session }: SessionKey): Promise<JobId[]> {
  const rows = await database
    .selectFrom('jobs')
    .select('id')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('reported', '=', false)
    .where('state', 'not in', ['running', 'stopping'])
    .orderBy('finished_at')
    .orderBy('number')
    .execute();
  return rows.map(({ id }) => id as JobId);
}

export interface TakeNoticeInput extends JobKey {
  /** The notice as a message entry, canonical JSON, and its id among the session's messages. */
  notice: (job: Job) => { id: string; entry: string };
}

/**
 * Takes the right to tell a session of a job's end, once; the notice is kept like any accepted message, so that a
 * session that dies with it in hand finds it again. `undefined` where the owner knows already; a repeated call of one
 * that was given the right is given it again.
 */
export async function takeNotice(database: Database, { notice, ...key }: TakeNoticeInput): Promise<string | undefined> {
  return database.transaction().execute(async (transaction) => {
    const { tenant, session, job } = key;
    const row = await transaction
      .selectFrom('jobs')
      .select('reported')
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('id', '=', job)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const found = await readJob(transaction, key);
    if (!row || !found || !isJobOver(found.state)) return undefined;
    const { id, entry } = notice(found);
    const given = await transaction
      .selectFrom('prompts')
      .select(['entry', 'state'])
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('prompt_id', '=', id)
      .executeTakeFirst();
    if (given) return given.state === 'accepted' ? given.entry : undefined;
    if (row.reported) return undefined;
    await transaction
      .insertInto('prompts')
      .values({ tenant, session_id: session, prompt_id: id, mode: 'inject', state: 'accepted', entry, turn: null })
      .execute();
    await transaction
      .updateTable('jobs')
      .set({ reported: true })
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('id', '=', job)
      .execute();
    return entry;
  });
}

/** Readers notice by the session's row that something beside its log changed. */
async function touchSession(database: Database, { tenant, session }: SessionKey): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .execute();
}
