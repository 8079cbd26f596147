import { defineTool, stringField, type ToolSettings } from '../kit/index.ts';

/** What the job of a send is called. Throws where none may be started. */
export function sendLabel(
  { sessionId, text }: { sessionId: string; text: string },
  { terminal }: ToolSettings,
): string {
  if (!terminal.enableRunInBackground)
    throw new Error('background terminal sends are disabled by tool-terminal configuration');
  return `${sessionId}: ${text.trim() === '' ? '(input)' : text}`;
}

/** Types into a terminal and waits for what comes of it. */
export const terminalSend = defineTool({
  name: 'terminal_send',
  toolset: 'terminal',
  description: [
    'Types text into a terminal, presses Enter, and returns what was printed since, once something waits for input again, nothing was printed for three seconds, or 30 seconds have passed.',
    'The lines at the end say why it returned and whether the program still runs. Of long output the end is returned; terminal_read shows earlier lines.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      sessionId: { type: 'string', description: 'The id that terminal_open returned, such as pty-1.' },
      text: {
        type: 'string',
        description:
          'What to type. Control characters are sent as they are: "\\u0003" interrupts, "\\u0004" ends the input.',
      },
      submit: { type: 'boolean', description: 'Whether to press Enter after the text. Default true.' },
      run_in_background: {
        type: 'boolean',
        description:
          'Return at once with the id of a job that waits in place of the call; read it with job_output, interrupt it with job_kill.',
      },
    },
    required: ['sessionId', 'text'],
  },
  home: 'host',
  effect: 'at-most-once',
  state: 'process',
  background: { argument: 'run_in_background', kind: 'pty-send', label: sendLabel },
  presentCall: (args) => {
    const sent = stringField(args, 'text');
    return sent === undefined
      ? undefined
      : { card: 'terminal', title: stringField(args, 'sessionId') ?? '', command: sent };
  },
});
