import { setCurrentDetails } from '@temporalio/workflow';
import { jobStatusText, type JobStatus } from '@everturn/core/domain';
import { literal } from '../shared/inert-markdown.ts';
import type { JobState } from './job-state.ts';

/** Shows operators what the job is, how it stands, and where its output is. */
export function describeJob(job: Pick<JobState, 'input' | 'reason'>, status: JobStatus): void {
  setCurrentDetails(jobDetails(job, status));
}

/** The same as text. */
export function jobDetails({ input, reason }: Pick<JobState, 'input' | 'reason'>, status: JobStatus): string {
  const { session, job, turn, step, host, agent } = input;
  const place = host === undefined ? `is session ${literal(agent?.child ?? '')}` : `runs on host ${literal(host)}`;
  const path = `/v1/sessions/${session}/jobs/${job.id}`;
  return [
    `**${job.id}** (${job.kind}) ${literal(jobStatusText(status))}`,
    '',
    `- command: ${literal(job.label)}`,
    `- asked for in step ${step} of turn ${turn}, ${place}`,
    ...(reason === undefined ? [] : [`- told to end: ${literal(reason)}`]),
    '',
    `Read its output with \`GET ${path}/output\`, end it with \`POST ${path}/kill\`.`,
  ].join('\n');
}
