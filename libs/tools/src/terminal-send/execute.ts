import { text } from '@everturn/core/domain';
import {
  implementTool,
  terminalState,
  terminalText,
  writableTerminal,
  type ArgumentsOf,
  type SendInput,
  type Terminal,
  type ToolCallContext,
} from '../kit/index.ts';
import { sendAsJob } from './send-as-job.ts';
import { sendLabel, terminalSend } from './schema.ts';

type Send = ArgumentsOf<typeof terminalSend.parameters>;

/** One exchange with what runs in a terminal, waited for or as a job. */
export const executeTerminalSend = implementTool(
  terminalSend,
  async (args, context) => {
    if (args.run_in_background) refuseBackground(args, context);
    const { terminal, input } = sendOf(args, context);
    const outcome = await terminal.send({ ...input, signal: context.signal });
    const { reason, truncated } = outcome;
    const state = terminalState(terminal.exit);
    const content = terminalText({
      content: outcome.text.trim() === '' ? '(no new output)' : outcome.text,
      about: `\n[wait: ${reason}]\n[session: ${state}]`,
      maxBytes: context.settings.terminal.maxResultBytes,
      truncated,
    });
    return { content: [text(content)], value: { text: outcome.text, truncated, reason, session: state } };
  },
  async (args, context) => {
    const { terminal, input } = sendOf(args, context);
    return sendAsJob({ terminal, input, keptBytes: context.settings.terminal.maxResultBytes });
  },
);

function sendOf(
  { sessionId, text: typed, submit = true }: Send,
  context: ToolCallContext,
): { terminal: Terminal; input: Omit<SendInput, 'signal'> } {
  const { terminal } = writableTerminal(context, sessionId);
  const { sendTimeoutMs: timeoutMs } = context.settings.terminal;
  return { terminal, input: { text: submit ? `${typed}\r` : typed, timeoutMs } };
}

/** A call that asks for a job and is run as a body has nobody to own the job. */
function refuseBackground(args: Send, { settings }: ToolCallContext): never {
  sendLabel(args, settings);
  throw new Error('background jobs unavailable: load a job service to use run_in_background');
}
