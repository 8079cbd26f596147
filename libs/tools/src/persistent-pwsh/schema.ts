import { defineTool, KEPT_SHELL_TOOL } from '../kit/index.ts';

/** Runs a command in the session's one kept PowerShell. */
export const persistentPwsh = defineTool({
  ...KEPT_SHELL_TOOL,
  name: 'pwsh',
  toolset: 'persistent-pwsh',
  description: [
    'Runs a command in a PowerShell that is kept for the whole session: location, variables, functions and modules carry over from call to call. Needs PowerShell 7 on the machine and says so where it is missing.',
    'A command that fails ends with `[exit code: N]`. `exit` ends the shell; the result says so, and the next call starts a new one in the workspace.',
    'A command may take 300 seconds; then the shell is reset. Of output longer than 16000 characters the beginning is returned. Nobody can type into it.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command, as PowerShell reads it; several lines are fine.' },
    },
    required: ['command'],
  },
  promptSection: {
    name: 'tool:pwsh',
    order: 105,
    text: 'The shell behind pwsh is kept: a location or variable stays until the result says that the shell was reset. `[exit code: N]` at the end of a result means that the command failed, whatever it printed.',
  },
});
