import type { TerminalExit } from '../terminals-port.ts';

/** How a command came to its end, or why it was not waited for any longer. */
export type Ended =
  | { kind: 'status'; status: number }
  | { kind: 'unheard' | 'waiting' | 'exited' | 'timeout' | 'aborted' };

const RESET =
  'The shell was reset: the next call starts a new one in the workspace, without directory, variables or functions of before.';

export interface DescribeEndInput {
  /** What the command printed. */
  text: string;
  timeoutMs: number;
  exit: TerminalExit | undefined;
}

/** What a model reads: the output, then how it ended, then whether the shell is still the same. */
export function describeEnd(ended: Ended, { text, timeoutMs, exit }: DescribeEndInput): string {
  switch (ended.kind) {
    case 'status':
      if (ended.status === 0) return text === '' ? '(no output)' : text;
      return text === '' ? `[exit code: ${ended.status}]` : `${text}\n[exit code: ${ended.status}]`;
    case 'unheard':
      return '[not heard: an earlier command sent what this shell prints elsewhere, so neither output nor exit code is known; `exec > /dev/tty` brings it back]';
    case 'waiting':
      return onNewLine(text, '[it waits for input and was left so; the next call interrupts it]');
    case 'exited':
      return onNewLine(onNewLine(withoutFarewell(text), exitMarker(exit)), RESET);
    default:
      return onNewLine(onNewLine(`[timed out after ${timeoutMs / 1000} seconds, or out of memory]`, text), RESET);
  }
}

function exitMarker(exit: TerminalExit | undefined): string {
  if (exit?.signal) return `[shell killed by signal: ${exit.signal}]`;
  return exit?.code === null || exit === undefined ? '[shell exited]' : `[shell exited: code ${exit.code}]`;
}

/** An interactive shell says `exit` when it goes. */
const withoutFarewell = (text: string): string => text.replace(/(^|\n)exit\n*$/, '$1');

/** Appends a line on a line of its own. */
export const onNewLine = (text: string, line: string): string => {
  if (text === '' || line === '') return text + line;
  return text.endsWith('\n') ? `${text}${line}` : `${text}\n${line}`;
};
