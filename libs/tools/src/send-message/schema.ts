import { AGENTS_TOOLSET, defineTool } from '../kit/index.ts';

/** Writes to another agent. */
export const sendMessage = defineTool({
  name: 'send_message',
  toolset: AGENTS_TOOLSET,
  description: [
    'Writes to an agent you started that stays with you or, if you stay with another agent yourself, to that one.',
    'An agent that works reads the message before its next step; one that does not begins to work on it. The call returns once the message is delivered, not once it is answered; when the agent has finished you are told.',
    'If the call fails, nothing was delivered.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      agent_id: { type: 'string', description: 'The agent, by the id its start returned or list_agents shows.' },
      message: { type: 'string', description: 'What to tell it; it sees nothing else of your conversation.' },
    },
    required: ['agent_id', 'message'],
  },
  home: 'workflow',
  effect: 'at-most-once',
});
