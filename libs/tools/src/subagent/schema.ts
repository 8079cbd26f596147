import { delegationTool } from '../kit/index.ts';

/** A task for an agent that starts with an empty context. */
export const subagent = delegationTool({
  name: 'subagent',
  purpose: [
    'Gives a self-contained task to another agent, which works in a context of its own with the tools you have, and returns what it says at its end.',
    'Use it for focused, independent work whose details you do not need yourself: research, a bounded change, an analysis. Several calls in one message run at the same time.',
    'The agent cannot ask anybody and gets no approvals; what kept it from its task stands in its result.',
  ].join(' '),
  prompt:
    'The whole task. The agent sees nothing of your conversation, so include everything it needs: goal, files, constraints, what to report.',
  background:
    'Leave it out, or false: the call waits for the result. True is refused here: the agent ends with its call.',
});
