import { sql, type Kysely } from 'kysely';
import { isJobOver, type JobStatus } from '../domain/index.ts';
import { storableText, type ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { JobKey } from './jobs.ts';
import type { Tables } from './tables.ts';

export type JobStream = 'stdout' | 'stderr' | 'notice';

/** What jobs wrote, piece by piece; only the newest are kept. */
export interface JobPageTable {
  session_id: string;
  job_id: string;
  page: number;
  tenant: string;
  stream: JobStream;
  text: string;
  dropped: boolean;
  created_at: ClockColumn;
}

/** One piece of what a job wrote. */
export interface JobPage {
  page: number;
  stream: JobStream;
  text: string;
  /** More was written before it than could be kept. */
  dropped: boolean;
  at: Date;
}

export interface AppendPagesInput extends JobKey {
  /** Who holds the job's claim, and since which take-over. */
  owner: string;
  epoch: number;
  pages: { stream: JobStream; text: string; dropped: boolean }[];
  /** Where whole streams lie; absent = as before. */
  files?: readonly string[];
  keepBytes: number;
}

/** Adds what a job wrote; throws the database's `CLAIM_LOST` once somebody else holds its claim. */
export async function appendPages(database: Database, { files, pages, ...input }: AppendPagesInput): Promise<void> {
  const encoded = JSON.stringify({
    ...input,
    pages: pages.map(({ text, ...page }) => ({ ...page, text: storableText(text) })),
    ...(files && { files: JSON.stringify(files.map(storableText)) }),
  });
  await sql`select append_job_pages(${encoded})`.execute(database);
}

export interface ListPagesInput extends JobKey {
  /** Continue after this page; 0 = from the oldest that is kept. */
  after: number;
  limit: number;
}

/** A job's output as it was written; reading it here takes nothing from the model. */
export async function listPages(database: Database, input: ListPagesInput): Promise<JobPage[]> {
  return selectPages(database, input);
}

async function selectPages(executor: Kysely<Tables>, { after, limit, ...key }: ListPagesInput): Promise<JobPage[]> {
  const rows = await executor
    .selectFrom('job_pages')
    .select(['page', 'stream', 'text', 'dropped', 'created_at'])
    .where('tenant', '=', key.tenant)
    .where('session_id', '=', key.session)
    .where('job_id', '=', key.job)
    .where('page', '>', after)
    .orderBy('page')
    .limit(limit)
    .execute();
  return rows.map(({ created_at: at, ...page }) => ({ ...page, at }));
}

export interface ConsumeOutputInput extends JobKey {
  /** Who reads: its repeated attempt reads the same again, whatever has come since with it. */
  reader: string;
}
export interface ConsumedOutput extends JobStatus {
  stdout: string;
  stderr: string;
  notices: string[];
  /** Output was lost between the last reader and this one; `files` hold it, none if it could not be kept. */
  dropped?: { files: string[] };
}

/** More pages than a job may keep bytes. */
const ALL = 2_000_000;

/**
 * Takes what a job wrote since the model last read, and how it stands. Who reads that it is over has been told so.
 * `undefined` when the session has no such job.
 */
export async function consumeOutput(
  database: Database,
  { reader, ...key }: ConsumeOutputInput,
): Promise<ConsumedOutput | undefined> {
  return database.transaction().execute(async (transaction) => {
    const job = await transaction
      .selectFrom('jobs')
      .select(['kind', 'state', 'detail', 'last_page', 'dropped_page', 'files', 'read_page', 'read_from', 'read_by'])
      .where('tenant', '=', key.tenant)
      .where('session_id', '=', key.session)
      .where('id', '=', key.job)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!job) return undefined;
    // What an agent said last is one piece, which may be read again.
    const unread = job.kind === 'subagent' ? 0 : job.read_page;
    const after = job.read_by === reader ? job.read_from : unread;
    const pages = await selectPages(transaction, { ...key, after, limit: ALL });
    await transaction
      .updateTable('jobs')
      .set({
        read_by: reader,
        read_from: after,
        read_page: job.last_page,
        ...(isJobOver(job.state) && { reported: true }),
      })
      .where('tenant', '=', key.tenant)
      .where('session_id', '=', key.session)
      .where('id', '=', key.job)
      .execute();
    const of = (stream: JobStream) => pages.filter((page) => page.stream === stream).map(({ text }) => text);
    const lost = after < job.dropped_page || pages.some(({ dropped }) => dropped);
    return {
      state: job.state,
      ...(job.detail !== null && { detail: job.detail }),
      stdout: of('stdout').join(''),
      stderr: of('stderr').join(''),
      notices: of('notice'),
      ...(lost && { dropped: { files: JSON.parse(job.files) as string[] } }),
    };
  });
}
