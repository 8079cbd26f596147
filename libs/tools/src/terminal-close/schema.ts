import { defineTool } from '../kit/index.ts';

/** Ends a terminal. */
export const terminalClose = defineTool({
  name: 'terminal_close',
  toolset: 'terminal',
  description:
    'Ends a terminal with everything that was started in it, in the background too: first with SIGTERM, after three seconds with SIGKILL. Its id is not used again.',
  parameters: {
    type: 'object',
    properties: { sessionId: { type: 'string', description: 'The id that terminal_open returned, such as pty-1.' } },
    required: ['sessionId'],
  },
  home: 'host',
  effect: 'at-most-once',
  state: 'process',
});
