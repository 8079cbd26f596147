import { defineTool, SHELL_PARAMETERS, shellTool } from '../kit/index.ts';

/** Runs one command in a fresh PowerShell. */
export const pwsh = defineTool({
  ...shellTool('pwsh'),
  toolset: 'pwsh',
  description: [
    'Runs a command with PowerShell (`pwsh -NoProfile -NonInteractive -Command`) on the machine of the session and returns what it wrote to stdout and stderr, as UTF-8.',
    'Every call starts a new shell: location, variables and functions do not carry over, so use `workdir` rather than `Set-Location`. Standard input is empty and there is no terminal.',
    'A command that fails is not an error of the tool: look for `[exit code: N]`, `[killed by signal: S]` or `[timed out after Nms]` at the end of the text. On Windows a command that was ended by force shows `[exit code: 1]` and no signal.',
    'Of long output the first lines and the end are returned; where possible the whole is saved and its path is given.',
    'If a file sandbox is active, `[sandbox: file access denied under <mode> mode]` means that policy refused a file operation: do not look for a way around it; on Windows, read-only mode also means constrained language mode, and capturing what grandchildren print fails.',
    'Needs PowerShell on the machine and says so where it is missing.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command line, as PowerShell reads it.' },
      ...SHELL_PARAMETERS,
    },
    required: ['command', 'description'],
  },
});
