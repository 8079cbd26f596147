import { defineTool } from '../kit/index.ts';

/** Starts a shell in a terminal that stays open. */
export const terminalOpen = defineTool({
  name: 'terminal_open',
  toolset: 'terminal',
  description: [
    'Opens a terminal with a shell that stays open between calls: directory, variables and running programs are kept. Returns its id, such as pty-1, for the other terminal tools, and what the shell printed before its first prompt.',
    'Use it for programs that ask questions or keep a state, such as REPLs, debuggers and servers to be watched; use bash for single commands.',
    'Terminals end with the session and with the worker that runs them; close those you no longer need: a session has at most 10 at a time.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      type: {
        type: 'string',
        description: 'The kind of shell: "shell" for bash, "pwsh" for PowerShell where it is installed.',
      },
      name: {
        type: 'string',
        description: 'A name to recognise it by, unique among the open terminals of the session. Default: none.',
      },
      cwd: {
        type: 'string',
        description: 'Directory the shell starts in. Default: the session workspace, where relative paths start too.',
      },
    },
    required: ['type'],
  },
  home: 'host',
  effect: 'at-most-once',
  promptSection: {
    name: 'tool:terminal',
    order: 106,
    text: 'A terminal_send ends with why it returned: `[wait: stdin_read]` means something waits for input, a shell at its prompt or a program; `[wait: inferred_idle]` and `[wait: timeout]` mean it may still be running: look again with terminal_read before you send more.',
  },
});
