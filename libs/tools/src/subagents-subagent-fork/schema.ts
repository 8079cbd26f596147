import { AGENTS_TOOLSET, delegationTool } from '../kit/index.ts';

/** A task for an agent that knows the finished turns of this conversation and can be written to afterwards. */
export const continuableSubagentFork = delegationTool({
  name: 'subagent_fork',
  toolset: AGENTS_TOOLSET,
  purpose: [
    'Gives a task to an agent that begins with a copy of this conversation up to its last finished turn and works from there, beside you.',
    'It returns the id of the agent at once; you are told when it has finished, with its last message. Write to it with send_message, stop what it does with interrupt_agent.',
    'The agent cannot ask anybody and gets no approvals.',
  ].join(' '),
  prompt:
    'The task. The agent knows the finished turns of this conversation, not the message you are answering now: repeat what it needs of that.',
  background:
    'Default true: return the id of the agent at once. False: wait until it has finished, for its last message; it can then not be written to.',
});
