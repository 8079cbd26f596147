import { sql, type Kysely } from 'kysely';
import type { JobId, JobState, JobSummary, SessionId, TenantId } from '../domain/index.ts';
import { storableText, type ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** Background jobs, and what the model has read of each. */
export interface JobTable {
  session_id: string;
  id: string;
  tenant: string;
  kind: string;
  number: number;
  label: string;
  state: JobState;
  detail: string | null;
  call_key: string;
  turn: number;
  step: number;
  reported: boolean;
  last_page: number;
  dropped_page: number;
  kept_bytes: number;
  total_bytes: number;
  /** Canonical JSON of paths. */
  files: string;
  read_page: number;
  read_from: number;
  read_by: string | null;
  started_at: ClockColumn;
  finished_at: Date | null;
}

/** A job as readers see it. */
export interface Job extends JobSummary {
  turn: number;
  step: number;
  /** What it has written so far, in UTF-8 bytes. */
  outputBytes: number;
  startedAt: Date;
  finishedAt?: Date;
}

export interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}
export interface JobKey extends SessionKey {
  job: JobId;
}

export interface AdmitJobInput extends SessionKey {
  kind: string;
  label: string;
  /** The claim of the call that asks; asked again it gets the same job. */
  call: string;
  turn: number;
  step: number;
  /** Most jobs of a session that may run at a time. */
  limit: number;
}
export type AdmitJobResult = { kind: 'admitted' | 'known'; id: JobId } | { kind: 'full' } | { kind: 'missing' };

/** Gives a call its job, unless as many as may run do. */
export async function admitJob(database: Database, input: AdmitJobInput): Promise<AdmitJobResult> {
  const encoded = JSON.stringify({ ...input, label: storableText(input.label) });
  const { rows } = await sql<{ answer: AdmitJobResult }>`select admit_job(${encoded}) as answer`.execute(database);
  return (rows[0] as { answer: AdmitJobResult }).answer;
}

/** Takes an admission back, since nothing was started for it. */
export async function discardJob(database: Database, { tenant, session, job }: JobKey): Promise<void> {
  await database
    .updateTable('jobs')
    .set({ state: 'failed', detail: 'not started', reported: true, finished_at: sql<Date>`clock_timestamp()` })
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('id', '=', job)
    .where('state', '=', 'running')
    .execute();
}

/** Ends jobs that were admitted for calls that came to nothing. */
export async function endOrphanJobs(database: Database, { tenant, session }: SessionKey): Promise<void> {
  await sql`select end_orphan_jobs(${tenant}, ${session})`.execute(database);
}

const SHOWN = [
  'id',
  'kind',
  'label',
  'state',
  'detail',
  'turn',
  'step',
  'total_bytes',
  'started_at',
  'finished_at',
] as const;

/** The jobs of a session, in order of their start. */
export async function listJobs(database: Database, { tenant, session }: SessionKey): Promise<Job[]> {
  const rows = await database
    .selectFrom('jobs')
    .select(SHOWN)
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .orderBy('started_at')
    .orderBy('kind')
    .orderBy('number')
    .execute();
  return rows.map(toJob);
}

/** One job, or `undefined` when the session has none of that id. */
export async function readJob(executor: Kysely<Tables>, { tenant, session, job }: JobKey): Promise<Job | undefined> {
  const row = await executor
    .selectFrom('jobs')
    .select(SHOWN)
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('id', '=', job)
    .executeTakeFirst();
  return row && toJob(row);
}

type ShownRow = Pick<JobTable, (typeof SHOWN)[number]>;

/** A row as readers see it. */
export function toJob(row: Omit<ShownRow, 'started_at'> & { started_at: Date }): Job {
  return {
    id: row.id as JobId,
    kind: row.kind,
    label: row.label,
    state: row.state,
    ...(row.detail !== null && { detail: row.detail }),
    turn: row.turn,
    step: row.step,
    outputBytes: row.total_bytes,
    startedAt: row.started_at,
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
  };
}
