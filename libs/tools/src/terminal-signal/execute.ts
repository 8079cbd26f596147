import { text } from '@everturn/core/domain';
import { findTerminal, implementTool } from '../kit/index.ts';
import { terminalSignal } from './schema.ts';

/** One signal to the foreground group. */
export const executeTerminalSignal = implementTool(terminalSignal, async ({ sessionId, signal }, context) => {
  const group = await findTerminal(context, sessionId).terminal.signal(signal);
  return { content: [text(`delivered ${signal} to foreground process group ${group}`)], value: { signal, group } };
});
