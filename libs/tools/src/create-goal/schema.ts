import { defineTool } from '../kit/index.ts';

/** Gives the session a goal. */
export const createGoal = defineTool({
  name: 'create_goal',
  description:
    'Gives this session a goal, and starts working on it round by round as soon as this turn has ended. Only in a turn in which a person spoke, and only when that person wants work to go on by itself; one goal at a time, a complete one is replaced. Answers the goal as JSON.',
  parameters: {
    type: 'object',
    properties: {
      objective: {
        type: 'string',
        description: 'What is to be reached, so that it can be told from files and tool results whether it is.',
      },
      max_goal_rounds: { type: 'number', description: 'Most rounds; a whole number above 0. Default 256.' },
    },
    required: ['objective'],
  },
  home: 'workflow',
  effect: 'idempotent',
  audience: 'own-sessions',
});
