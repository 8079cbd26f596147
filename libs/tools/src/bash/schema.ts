import { defineTool, SHELL_PARAMETERS, shellTool } from '../kit/index.ts';

/** Runs one command in a fresh shell. */
export const bash = defineTool({
  ...shellTool('bash'),
  description: [
    'Runs a command with `bash -c` on the machine of the session and returns what it wrote to stdout and stderr.',
    'Every call starts a new shell: directory changes, variables and functions do not carry over, so use `workdir` rather than `cd`. Standard input is empty and there is no terminal.',
    'A command that fails is not an error of the tool: look for `[exit code: N]`, `[killed by signal: S]` or `[timed out after Nms]` at the end of the text.',
    'Of long output the first lines and the end are returned; where possible the whole is saved and its path is given.',
    'What is started with `&` is unheard after the call and ends at the latest with the session; under a sandbox mode other than danger-full-access it ends with the call, and /tmp is empty at the start of each call.',
    'The variables `$EVERTURN_…` describe the environment; credentials of the host are not passed on.',
    'If a file sandbox is active, `[sandbox: file access denied under <mode> mode]` means that policy refused a file operation: do not look for a way around it.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command line, as bash reads it.' },
      ...SHELL_PARAMETERS,
    },
    required: ['command', 'description'],
  },
});
