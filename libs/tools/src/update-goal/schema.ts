import { defineTool } from '../kit/index.ts';

/** Changes the session's goal. */
export const updateGoal = defineTool({
  name: 'update_goal',
  description:
    'Changes the goal of this session, from the revision that was read. In a turn in which a person spoke every action is allowed; a round of the goal may only mark it `complete`, with evidence that all of it is reached, or from its third round on report it as `blocked`. Answers the goal as JSON; when the revision is stale read it again.',
  parameters: {
    type: 'object',
    properties: {
      goal_id: { type: 'string', description: 'The goal as get_goal names it.' },
      revision: { type: 'number', description: 'Its revision as get_goal tells it.' },
      action: {
        type: 'string',
        description:
          '`edit`: another objective or number of rounds; `pause` and `resume`: stop rounds and let them follow again; `complete`: it is reached; `blocked`: it cannot be reached without a person.',
        enum: ['edit', 'pause', 'resume', 'complete', 'blocked'],
      },
      objective: { type: 'string', description: 'Only with `edit`. Default: it stays.' },
      max_goal_rounds: { type: 'number', description: 'Only with `edit`; a whole number above 0. Default: it stays.' },
      blocked_reason: { type: 'string', description: 'Only with `blocked`, and needed there: what is missing.' },
    },
    required: ['goal_id', 'revision', 'action'],
  },
  home: 'workflow',
  effect: 'idempotent',
  audience: 'own-sessions',
});
