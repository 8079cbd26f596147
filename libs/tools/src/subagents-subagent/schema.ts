import { AGENTS_TOOLSET, delegationTool } from '../kit/index.ts';

/** A task for an agent that starts with an empty context and can be written to afterwards. */
export const continuableSubagent = delegationTool({
  name: 'subagent',
  toolset: AGENTS_TOOLSET,
  purpose: [
    'Gives a self-contained task to another agent, which works in a context of its own with the tools you have, beside you.',
    'It returns the id of the agent at once; go on with something else. You are told when it has finished, with its last message: do not poll.',
    'Write to it with send_message while it works or afterwards, stop what it does with interrupt_agent, and see whom you have with list_agents.',
    'The agent cannot ask anybody and gets no approvals.',
  ].join(' '),
  prompt:
    'The whole task. The agent sees nothing of your conversation, so include everything it needs: goal, files, constraints, what to report.',
  background:
    'Default true: return the id of the agent at once. False: wait until it has finished, for its last message; it can then not be written to.',
});
