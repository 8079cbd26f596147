import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Stops what a member does. */
export const teamInterruptAgent = defineTool({
  name: 'interrupt_agent',
  toolset: TEAM_TOOLSET,
  description: [
    'Ends the turn of a member, and returns at once; only the lead can. The member stays, keeps the messages and tasks it has, and goes on when it is written to.',
    'Answers `{previousStatus}`: whether it was `running` or `inactive`.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: { target: { type: 'string', description: 'The name of a member, as list_agents shows it.' } },
    required: ['target'],
  },
  home: 'workflow',
  effect: 'idempotent',
});
