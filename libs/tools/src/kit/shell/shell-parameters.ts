/** What every one-shot shell takes beside its command. */
export const SHELL_PARAMETERS = {
  description: {
    type: 'string',
    description:
      'What the command is for, in five to ten words that start with a verb, for the people who watch: "Run the unit tests", "List changed files".',
  },
  timeoutMs: {
    type: 'number',
    description:
      'Milliseconds after which the command and everything it started is ended. Default 60000, at most 600000; a larger number counts as the largest.',
  },
  workdir: {
    type: 'string',
    description: 'Directory to run in. Default: the session workspace, where relative paths start too.',
  },
  run_in_background: {
    type: 'boolean',
    description:
      'Return at once with the id of a job that runs without a time limit; read it with job_output, end it with job_kill.',
  },
} as const;

/** What a model is told once about a one-shot shell of this name. */
export const shellPrompt = (name: 'bash' | 'pwsh') => ({
  name: `tool:${name}`,
  order: 105,
  text: `After every ${name} call look at the end of its result: no marker means exit code 0; \`[exit code: N]\`, \`[killed by signal: S]\` and \`[timed out after Nms]\` mean the command did not succeed, whatever it printed. Say so instead of going on as if it had.`,
});
