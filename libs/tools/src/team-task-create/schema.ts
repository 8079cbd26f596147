import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Puts a task on the team's board. */
export const teamTaskCreate = defineTool({
  name: 'team_task_create',
  toolset: TEAM_TOOLSET,
  description:
    "Puts a task on your team's board. It is nobody's until somebody claims it or the lead assigns it. Answers the task as JSON, with its id and revision.",
  parameters: {
    type: 'object',
    properties: {
      subject: { type: 'string', description: 'A title, at most 200 characters.' },
      description: {
        type: 'string',
        description: 'What is to be done and how one knows that it is, at most 16384 characters.',
      },
      blocked_by: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of tasks that must be completed before it can be claimed, each once. Default none.',
      },
      write_scopes: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Files and folders it will change, as paths below the workspace; others at work there are told of. Default none.',
      },
    },
    required: ['subject', 'description'],
  },
  home: 'workflow',
  effect: 'at-most-once',
});
