import { delegationTool } from '../kit/index.ts';

/** A task for an agent that knows the finished turns of this conversation. */
export const subagentFork = delegationTool({
  name: 'subagent_fork',
  purpose: [
    'Gives a task to an agent that begins with a copy of this conversation up to its last finished turn, works from there with the tools you have, and returns what it says at its end.',
    'Use it where the task needs what was said and found before; what happened in the turn that runs now it does not know. Several calls in one message run at the same time.',
    'The agent cannot ask anybody and gets no approvals; what kept it from its task stands in its result.',
  ].join(' '),
  prompt:
    'The task. The agent knows the finished turns of this conversation, not the message you are answering now: repeat what it needs of that.',
  background:
    'Default false: wait for the result. True: return at once with the id of a job, go on with something else, and read what the agent said with job_output once you are told that it has ended; job_kill ends it.',
});
