import { defineTool } from '../kit/index.ts';

/** Reads what a background job wrote. */
export const jobOutput = defineTool({
  name: 'job_output',
  description: [
    'Returns what a background job wrote since it was last read, and then its status: `[status: running]`, `[status: completed, exit code: 0]`, `[status: killed, signal: SIGTERM]`.',
    'Nothing is shown twice; `(no new output)` means that nothing has come since. Long output is cut at its beginning and says so, with the file that holds all of it where there is one.',
    'With `wait` it returns when the job has ended or the time is over, whichever comes first; a job that still runs then goes on. You are also told when a job ends, so wait only for what you need now.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      job_id: {
        type: 'string',
        description: 'The job, such as `bash-1`: what started it named it, and job_list does.',
      },
      wait: { type: 'boolean', description: 'Wait for the end of the job before reading. Default false.' },
      timeout_ms: {
        type: 'number',
        description:
          'Milliseconds to wait at most, with `wait` only. Default 30000, at most 600000; a larger number counts as the largest.',
      },
    },
    required: ['job_id'],
  },
  home: 'workflow',
  effect: 'at-most-once',
  readOnly: true,
  promptSection: {
    name: 'tool:jobs',
    order: 106,
    text: 'A command started with `run_in_background` is a job: it runs on while you work and outlives the turn. A message tells you when a job has ended; read what it wrote with job_output and do not ask again and again before. End what is no longer needed with job_kill.',
  },
});
