import { defineTool } from '../kit/index.ts';

/** Signals what runs in a terminal's foreground. */
export const terminalSignal = defineTool({
  name: 'terminal_signal',
  toolset: 'terminal',
  description:
    'Sends a signal to the processes in the foreground of a terminal: SIGINT interrupts a command like Ctrl-C, SIGTSTP stops it like Ctrl-Z. SIGKILL is refused while nothing but the shell runs; use terminal_close to end that.',
  parameters: {
    type: 'object',
    properties: {
      sessionId: { type: 'string', description: 'The id that terminal_open returned, such as pty-1.' },
      signal: {
        type: 'string',
        enum: ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGTSTP', 'SIGHUP'],
        description: 'The signal: SIGINT first; SIGTERM, then SIGKILL for a program that does not heed it.',
      },
    },
    required: ['sessionId', 'signal'],
  },
  home: 'host',
  effect: 'at-most-once',
  state: 'process',
});
