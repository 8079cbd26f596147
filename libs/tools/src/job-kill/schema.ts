import { defineTool } from '../kit/index.ts';

/** Ends a background job. */
export const jobKill = defineTool({
  name: 'job_kill',
  description:
    'Tells a background job and everything it started to end, and returns at once; a moment later its status is killed. What it wrote can still be read with job_output. No message follows. A job that has ended already stays as it is.',
  parameters: {
    type: 'object',
    properties: {
      job_id: { type: 'string', description: 'The job, such as `bash-1`.' },
      reason: { type: 'string', description: 'Why, for the people who watch. Default: none is given.' },
    },
    required: ['job_id'],
  },
  home: 'workflow',
  effect: 'idempotent',
});
