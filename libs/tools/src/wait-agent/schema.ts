import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Waits for something to happen in the team. */
export const waitAgent = defineTool({
  name: 'wait_agent',
  toolset: TEAM_TOOLSET,
  description: [
    'Waits until something happens in your team: somebody begins or ends their work, a message is sent, a task changes. Only what happens after the call began counts.',
    'Wakes nobody: where nobody else is at work it says so at once (`noProgress`). `timedOut` tells whether the time ran out.',
    'When it returns look at what has changed; messages to you stand before your next step.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      timeout_ms: {
        type: 'integer',
        description: 'How long to wait at most, 10000 to 3600000 ms. Default 30000.',
      },
    },
  },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
});
