import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Changes one task. */
export const teamTaskUpdate = defineTool({
  name: 'team_task_update',
  toolset: TEAM_TOOLSET,
  description: [
    "Changes one task of your team's board, from the revision that was read; of two who change the same revision one is refused and has to read again.",
    'Anybody may `claim` a ready task. Whoever has a task, and the lead, may `release`, `complete`, `reopen`, `edit` and `delete` it and `set_dependencies`; only the lead may `reassign`. Answers the task as JSON.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      task_id: { type: 'string', description: 'The task, such as `task-3`.' },
      expected_revision: {
        type: 'integer',
        description: 'Its revision as you read it; if it is another by now nothing changes.',
      },
      action: {
        type: 'string',
        enum: ['claim', 'release', 'edit', 'set_dependencies', 'complete', 'reopen', 'reassign', 'delete'],
        description:
          "`claim`: take it; `release`: give it back; `complete`: it is done; `reopen`: it is not, and is nobody's again; `edit`: other words or scopes; `set_dependencies`: what it waits for; `reassign`: give it to somebody, or to nobody; `delete`: take it off the board.",
      },
      subject: { type: 'string', description: 'With `edit`: the new title. Default: it stays.' },
      description: { type: 'string', description: 'With `edit`: the new text. Default: it stays.' },
      blocked_by: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `set_dependencies`, and needed there: all it waits for, `[]` for nothing.',
      },
      write_scopes: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `edit`: all it will change, as paths below the workspace. Default: they stay.',
      },
      owner: {
        type: 'string',
        description: 'With `reassign`: the name of a member, or `lead`. Default: it is given back.',
      },
    },
    required: ['task_id', 'expected_revision', 'action'],
  },
  home: 'workflow',
  effect: 'at-most-once',
});
