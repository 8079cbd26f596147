import { AGENTS_TOOLSET, defineTool } from '../kit/index.ts';

/** Lists the agents that stay with the caller. */
export const listAgents = defineTool({
  name: 'list_agents',
  toolset: AGENTS_TOOLSET,
  description: [
    'Lists the agents you started that stay with you, one line each: `<id> [<status>] — <label>`.',
    'Use it to recall whom you have, not to wait: you are told when one has finished. `running` means that it works right now, `inactive` that it does not, which says nothing of success; either can be written to with send_message.',
    'With scope `descendants` it goes through everything below you and adds the id each one works for and its depth; you can write to those of depth 1 only, and interrupt any. What cannot be read of an agent is told there, too.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      scope: {
        type: 'string',
        enum: ['children', 'descendants'],
        description: 'Whom to list: those you started, or all below you. Default children.',
      },
    },
  },
  home: 'workflow',
  effect: 'idempotent',
});
