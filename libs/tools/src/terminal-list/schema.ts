import { defineTool } from '../kit/index.ts';

/** Lists the session's terminals. */
export const terminalList = defineTool({
  name: 'terminal_list',
  toolset: 'terminal',
  description:
    'Lists the open terminals of the session, one a line: id, name, type, whether its shell runs or how it ended. After a restart of the worker there are none, for terminals do not outlive it.',
  parameters: { type: 'object', properties: {} },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
});
