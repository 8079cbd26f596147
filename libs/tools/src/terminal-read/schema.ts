import { defineTool } from '../kit/index.ts';

/** Shows lines a terminal printed before. */
export const terminalRead = defineTool({
  name: 'terminal_read',
  toolset: 'terminal',
  description:
    'Shows the last lines that a terminal printed, or earlier ones, without typing anything. The last line says which lines they are of all there were; of the oldest only the newest 10000 lines are kept.',
  parameters: {
    type: 'object',
    properties: {
      sessionId: { type: 'string', description: 'The id that terminal_open returned, such as pty-1.' },
      offset: {
        type: 'number',
        description: 'How many of the newest lines to leave out, a whole number. Default 0.',
      },
      count: { type: 'number', description: 'How many lines to show, a whole number from 1. Default 500.' },
    },
    required: ['sessionId'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  state: 'process',
});
