import type { CapturedOutput, ProcessOutcome } from '../processes-port.ts';
import { denialMarker, escalationHint } from '../sandbox-markers.ts';

export interface FormatOutcomeInput extends Omit<ProcessOutcome, 'aborted' | 'stdout' | 'stderr'> {
  stdout: FormattedStream;
  stderr: FormattedStream;
  timeoutMs: number;
}
type FormattedStream = Pick<CapturedOutput, 'text' | 'truncated'> & Partial<CapturedOutput>;

/** What is said of a command that was to be ended and runs on. */
export const COULD_NOT_END = 'it could not be ended and still runs: it is another user’s, or stuck in the system';

/** The text a model reads: output, then errors, then notices and markers, each marker on a line of its own. */
export function formatOutcome(outcome: FormatOutcomeInput): string {
  const { stdout, stderr, exitCode, signal, timedOut, timeoutMs, unended, sandbox } = outcome;
  const streams = [streamText(stdout), streamText(stderr)] as const;
  let text = streams[0];
  if (streams[1] !== '') text = onNewLine(text, `[stderr]\n${streams[1]}`);
  if (text === '') text = '(no output)';
  const markers = [
    ...[stdout, stderr].flatMap((stream) =>
      stream.truncated ? [`[output truncated; full output: ${stream.spillPath ?? '(unavailable)'}]`] : [],
    ),
    ...(sandbox?.denied ? [denialMarker(sandbox.mode), escalationHint('command')] : []),
    ...(timedOut ? [`[timed out after ${timeoutMs}ms]`] : []),
    ...(unended ? [`[${COULD_NOT_END}]`] : []),
    ...(signal !== null ? [`[killed by signal: ${signal}]`] : []),
    ...(signal === null && exitCode !== null && exitCode !== 0 ? [`[exit code: ${exitCode}]`] : []),
  ];
  return markers.reduce(onNewLine, text);
}

/** The kept end; of a cut stream also its beginning and how much lies between. */
function streamText({ text, truncated, head, totalBytes }: FormattedStream): string {
  if (!truncated || !head || totalBytes === undefined) return text;
  return `${onNewLine(head, `[… cut here: ${totalBytes} bytes in all, their end follows …]`)}\n${text}`;
}

const onNewLine = (text: string, line: string): string =>
  text === '' || text.endsWith('\n') ? `${text}${line}` : `${text}\n${line}`;
