import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Reads one task. */
export const teamTaskGet = defineTool({
  name: 'team_task_get',
  toolset: TEAM_TOOLSET,
  description:
    "Reads one task of your team's board as JSON, as it is now, a deleted one too. Read a task before you begin or change it: a change has to name the revision it was made from.",
  parameters: {
    type: 'object',
    properties: { task_id: { type: 'string', description: 'The task, such as `task-3`.' } },
    required: ['task_id'],
  },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
});
