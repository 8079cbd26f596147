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
    'Default false: wait for the result. True: return at once with the id of a job, go on with something else, and read what the agent said with job_output once you are told that it has ended; job_kill ends it.',
});
