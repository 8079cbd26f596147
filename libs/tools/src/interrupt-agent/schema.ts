import { AGENTS_TOOLSET, defineTool } from '../kit/index.ts';

/** Stops what an agent does. */
export const interruptAgent = defineTool({
  name: 'interrupt_agent',
  toolset: AGENTS_TOOLSET,
  description: [
    'Stops what an agent below you is doing, and returns at once. The agent stays: messages that wait for it wait on until you write to it again, and the agents that work for it go on.',
    'An agent that is not at work stays as it is.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      agent_id: {
        type: 'string',
        description: 'The agent: one you started, or one below those, by the id list_agents shows.',
      },
    },
    required: ['agent_id'],
  },
  home: 'workflow',
  effect: 'idempotent',
});
