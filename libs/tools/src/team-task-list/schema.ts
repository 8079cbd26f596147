import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Reads the board. */
export const teamTaskList = defineTool({
  name: 'team_task_list',
  toolset: TEAM_TOOLSET,
  description:
    "Reads your team's board as JSON, in the order in which tasks were made: each with its revision, who has it, what it waits for, whether it is `ready` to be claimed, and who else is at work on the same files. `nextCursor` is there when there is more.",
  parameters: {
    type: 'object',
    properties: {
      status: {
        type: 'string',
        enum: ['pending', 'in_progress', 'completed'],
        description: 'Only tasks that stand so. Default all but deleted ones.',
      },
      owner: {
        type: 'string',
        description: 'Only those of this member or of `lead`, or, with `unowned`, those nobody has. Default all.',
      },
      ready: { type: 'boolean', description: 'Only those that can be claimed, or cannot. Default both.' },
      cursor: { type: 'integer', description: 'How many to pass over, from 0. Default 0.' },
      limit: { type: 'integer', description: 'How many to show, 1 to 100. Default 50.' },
    },
  },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
});
