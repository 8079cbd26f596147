import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Takes a member on. */
export const spawnTeammate = defineTool({
  name: 'spawn_teammate',
  toolset: TEAM_TOOLSET,
  description: [
    'Makes a member of your team and gives it its first task. Only the lead can; the member stays, works beside you in the same workspace, and can be written to by its name.',
    'Answers the member as JSON once it is at work. You are told when it has finished, with its last message; wait_agent waits for that.',
    'A name is given once, also if its member could not be made.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        description:
          'What it is called from now on: lower-case words and digits joined by single dashes, at most 64 characters, not `lead`.',
      },
      description: { type: 'string', description: 'What it is responsible for, in at most 200 characters.' },
      prompt: { type: 'string', description: 'Its whole first task; a fresh member knows nothing else.' },
      context: {
        type: 'string',
        enum: ['fresh', 'fork'],
        description:
          '`fresh`: it knows nothing of your conversation; `fork`: it begins with the turns you have finished. Default fresh.',
      },
    },
    required: ['name', 'description', 'prompt'],
  },
  home: 'workflow',
  effect: 'at-most-once',
  promptSection: {
    name: 'team:policy',
    order: 60,
    text: [
      'You belong to a team: a lead and the members it has made, who share one workspace and one board of tasks.',
      'Make members only where the person you work for has asked for a team or for several agents.',
      'Files may change under your hands: when an edit says that a file is not as you read it, read it again and work on from there. Say with write_scopes what a task will touch, and keep to it.',
      'A lead does not end its work while members are at theirs: it waits for them with wait_agent and takes up what they report.',
    ].join(' '),
  },
});
