import { text } from '@everturn/core/domain';
import { findTerminal, implementTool, terminalText } from '../kit/index.ts';
import { terminalRead } from './schema.ts';

/** A page of what was printed, counted from the newest line. */
export const executeTerminalRead = implementTool(terminalRead, async (args, context) => {
  const { sessionId, offset = 0, count = 500 } = args;
  if (!(Number.isSafeInteger(offset) && offset >= 0)) throw new Error('offset must be a non-negative safe integer');
  if (!(Number.isSafeInteger(count) && count > 0)) throw new Error('count must be a positive safe integer');
  const lines = findTerminal(context, sessionId).terminal.read({ offset, count });
  const { begin, end, total } = lines;
  const content = terminalText({
    content: begin === 0 ? '(no retained output)' : lines.text,
    about: `\n[lines: ${begin}-${end} of ${total}]`,
    maxBytes: context.settings.terminal.maxResultBytes,
  });
  return { content: [text(content)], value: { text: lines.text, begin, end, total } };
});
