import { assertNever } from './assert-never.ts';
import { z } from 'zod';
import { characterCut } from './character-cut.ts';

/** A session's job: its kind and a number of its own, `bash-1`. */
export const JobId = z
  .string()
  .regex(/^[a-z][a-z-]{0,30}-\d{1,9}$/, 'a job id reads <kind>-<number>')
  .brand<'JobId'>();
export type JobId = z.infer<typeof JobId>;

/** `stopping`: told to end, and not seen to have. The last three are final. */
export const JobState = z.enum(['running', 'stopping', 'completed', 'killed', 'failed']);
export type JobState = z.infer<typeof JobState>;

/** Where a job stands; `detail` is short and for the model: `exit code: 3`. */
export interface JobStatus {
  state: JobState;
  detail?: string;
}

/** A job as its owner is told of it. */
export interface JobSummary extends JobStatus {
  id: JobId;
  kind: string;
  label: string;
}

/** Whether nothing of a job can change any more. */
export function isJobOver(state: JobState): boolean {
  switch (state) {
    case 'running':
    case 'stopping':
      return false;
    case 'completed':
    case 'killed':
    case 'failed':
      return true;
    default:
      return assertNever(state);
  }
}

/** `[status: completed, exit code: 0]` */
export const jobStatusText = ({ state, detail }: JobStatus): string =>
  `[status: ${state}${detail === undefined ? '' : `, ${detail}`}]`;

/** Who put the end of a job into its session. */
export const JOB_NOTICE_SOURCE = { kind: 'plugin', plugin: 'tool-jobs', form: 'notice' } as const;

/** What the model is told when a job ends; too long a label is cut, never the id or the advice. */
export function jobNotice(job: JobSummary, limitBytes: number): string {
  const text = (label: string) =>
    `background job ${job.id} (${job.kind}: ${label}) finished ${jobStatusText(job)}. Read its output with job_output.`;
  const whole = text(job.label);
  const excess = byteLength(whole) - limitBytes;
  if (excess <= 0) return whole;
  const room = byteLength(job.label) - excess - byteLength('…');
  if (room > 0) return text(`${characterCut(job.label, room)}…`);
  // Even without a label: only what the model needs to go on.
  return `background job ${job.id} finished. Read its output with job_output.`;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

export interface DeliverNoticeInput {
  /** What the deployment wants: ends of jobs may begin turns, or never do. */
  delivery: 'wakeup' | 'quiet';
  /** A turn runs or is about to; or nothing does; or nothing does and the queue waits for a person. */
  owner: 'busy' | 'idle' | 'parked';
  /** Turns that ends of jobs began since a person last wrote. */
  wakes: number;
  maxWakes: number;
}

/** Whether the end of a job begins a turn or is only added to what the next request holds. */
export function deliverNotice({ delivery, owner, wakes, maxWakes }: DeliverNoticeInput): 'wake' | 'inject' {
  return delivery === 'wakeup' && owner === 'idle' && wakes < maxWakes ? 'wake' : 'inject';
}
