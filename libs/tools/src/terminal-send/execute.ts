import { text } from '@everturn/core/domain';
import { findTerminal, implementTool, terminalState, terminalText } from '../kit/index.ts';
import { terminalSend } from './schema.ts';

/** One exchange with what runs in a terminal. */
export const executeTerminalSend = implementTool(terminalSend, async (args, context) => {
  const { sessionId, text: typed, submit = true, run_in_background: inBackground = false } = args;
  const { terminal } = findTerminal(context, sessionId);
  const { sendTimeoutMs, maxResultBytes } = context.settings.terminal;
  if (inBackground) throw new Error('background terminal sends are disabled by tool-terminal configuration');
  const outcome = await terminal.send({
    text: submit ? `${typed}\r` : typed,
    signal: context.signal,
    timeoutMs: sendTimeoutMs,
  });
  const { reason, truncated } = outcome;
  const state = terminalState(terminal.exit);
  const content = terminalText({
    content: outcome.text.trim() === '' ? '(no new output)' : outcome.text,
    about: `\n[wait: ${reason}]\n[session: ${state}]`,
    maxBytes: maxResultBytes,
    truncated,
  });
  return { content: [text(content)], value: { text: outcome.text, truncated, reason, session: state } };
});
