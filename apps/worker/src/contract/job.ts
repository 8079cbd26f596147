import type { HostId, JobId, JobSummary, MessageEntry, SessionId } from '@everturn/core/domain';
import type { JobEnd } from '@everturn/tools/kit';
import type { SessionRef } from './commit.ts';
import type { RequestedCall } from './model.ts';
import type { ProgramCall } from './program.ts';
import type { RunToolInput } from './tool.ts';

/** A job that may begin. */
export interface AdmittedJob {
  id: JobId;
  kind: string;
  label: string;
}

/** The session of an agent that works in the background. */
export interface JobAgent {
  child: SessionId;
  preview: string;
  searchAttributes: boolean;
}

/** What a job's workflow is started with. */
export interface JobInput extends SessionRef {
  job: AdmittedJob;
  turn: number;
  step: number;
  call: RequestedCall;
  /** The call whose program made it. */
  parent?: ProgramCall;
  /** Where its body runs; absent where it is an agent. */
  host?: HostId;
  /** The epoch of the host that the call's machine state belongs to. */
  hostEpoch?: number;
  /** The agent that it is, whose session is prepared. */
  agent?: JobAgent;
  cwd?: string;
  /** What its call may do; absent = the deployment's mode. */
  sandbox?: NonNullable<RunToolInput['sandbox']>;
  /** What its command may take; absent = as the deployment says. */
  shell?: NonNullable<RunToolInput['shell']>;
  searchAttributes: boolean;
}

/** Names one job of a session. */
export interface JobRef extends SessionRef {
  job: JobId;
}

export interface RunJobInput extends Omit<JobInput, 'host' | 'searchAttributes' | 'agent'> {}
export interface RunJobResult {
  end: JobEnd;
}

/** What is said of a job whose worker vanished: its processes died with the worker, how far they came nobody knows. */
export const JOB_LOST: JobEnd = Object.freeze({ state: 'failed', detail: 'outcome unknown: its worker was lost' });
/** Whether an end says only that the job was begun: the ledger then counts its effect as unknown. */
export const isLostJob = ({ detail }: JobEnd): boolean => detail === JOB_LOST.detail;

export interface JobBodyActivities {
  /** Runs a job's body to its end, at most once; what it writes goes to its pages as it comes. */
  runJob(input: RunJobInput): Promise<RunJobResult>;
}

export interface JobControlActivities {
  /** Tells a job that runs in this process to end; `absent` when none of that id does. */
  killJob(input: JobRef): Promise<'told' | 'absent'>;
}

/** A job as its owner sees it, or that there is none. */
export type FoundJob = { kind: 'found'; job: JobSummary } | { kind: 'unknown' };

export interface ReadJobInput extends JobRef {
  /** Who reads, by meaning: its repeated attempt reads the same. */
  reader: string;
}
export type ReadJobResult = { kind: 'read'; text: string } | { kind: 'unknown' };

export interface FinishJobInput extends JobRef {
  end: JobEnd;
}

/** Word of a job's end on its way into its session. */
export interface JobNotice {
  entry: MessageEntry;
}
export interface TakeNoticesInput extends SessionRef {
  jobs: JobId[];
}
export interface TakeNoticesResult {
  /** In the order the jobs ended; those whose end is known already are left out. */
  notices: JobNotice[];
  delivery: 'wakeup' | 'quiet';
  maxWakes: number;
}

/** Activities about jobs that need nothing but Postgres. */
export interface JobRowActivities {
  /** A session's jobs, in order of their start. */
  listJobs(input: SessionRef): Promise<{ jobs: JobSummary[] }>;
  /** Takes what a job wrote since the model last read, as the model is to see it. */
  readJob(input: ReadJobInput): Promise<ReadJobResult>;
  /** Marks a job as told to end; answers how it stands, over or not. */
  stopJob(input: JobRef): Promise<FoundJob>;
  /** Says how a job ended; the first to say it counts. */
  finishJob(input: FinishJobInput): Promise<FoundJob>;
  /** Marks all that runs as told to end and answers which, and which agents stay with the session. */
  stopAllJobs(input: SessionRef): Promise<{ jobs: JobId[]; children?: SessionId[] }>;
  /** Takes the right to tell the session of these jobs' ends. */
  takeNotices(input: TakeNoticesInput): Promise<TakeNoticesResult>;
}
