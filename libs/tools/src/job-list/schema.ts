import { defineTool } from '../kit/index.ts';

/** Names the background jobs of the session. */
export const jobList = defineTool({
  name: 'job_list',
  description:
    'Lists the background jobs of this session, oldest first, one a line: `<id> [<kind>] <status> — <label>`. A status is running, stopping, completed, killed or failed.',
  parameters: { type: 'object', properties: {} },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
});
