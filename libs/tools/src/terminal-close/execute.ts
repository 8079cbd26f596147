import { text } from '@everturn/core/domain';
import { closeTerminal, findTerminal, implementTool } from '../kit/index.ts';
import { terminalClose } from './schema.ts';

/** Ends a terminal and all its processes; resolves when they are gone. */
export const executeTerminalClose = implementTool(terminalClose, async ({ sessionId }, context) => {
  const closed = await closeTerminal(context, findTerminal(context, sessionId));
  const said =
    closed === 'closed' ? `closed terminal session ${sessionId}` : `terminal session ${sessionId} was already closing`;
  return { content: [text(said)], value: { sessionId, closed } };
});
