import { defineTool, KEPT_SHELL_TOOL } from '../kit/index.ts';

/** Runs a command in the session's one kept shell. */
export const persistentBash = defineTool({
  ...KEPT_SHELL_TOOL,
  name: 'bash',
  toolset: 'persistent-shell',
  description: [
    'Runs a command in a bash that is kept for the whole session: directory, variables, functions and background jobs carry over from call to call.',
    'A command that fails ends with `[exit code: N]`. `exit`, and `set -e` with a failing command, end the shell; the result says so, and the next call starts a new one in the workspace.',
    'A command may take 300 seconds; then the shell is reset. Of output longer than 16000 characters the beginning is returned.',
    'Nobody can type into it: a command that asks for input is left waiting, and interrupted by the next call.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command line, as bash reads it; several lines are fine.' },
    },
    required: ['command'],
  },
  promptSection: {
    name: 'tool:bash',
    order: 105,
    text: 'The shell behind bash is kept: a `cd` or variable stays until the result says that the shell was reset. `[exit code: N]` at the end of a result means that the command failed, whatever it printed.',
  },
});
