import { jobStatusText, type JobStatus } from '@everturn/core/domain';
import { utf8Length, utf8Tail } from './utf8.ts';

/** What a job wrote since it was last read, and how it stands. */
export interface ReadOutput extends JobStatus {
  stdout: string;
  stderr: string;
  notices: readonly string[];
  dropped?: { files: readonly string[] };
}

const CUT = '[output truncated]';

/** What a model reads of a job: new output, then errors, then notices and the status, each on a line of its own. */
export function jobOutputText(output: ReadOutput, limitBytes: number): string {
  const { stdout, stderr, notices, dropped } = output;
  const body = stderr === '' ? stdout : onNewLine(stdout, `[stderr]\n${stderr}`);
  const lines = [...notices, ...(dropped ? [droppedText(dropped.files)] : [])];
  const text = lines.reduce(onNewLine, body) || '(no new output)';
  const status = jobStatusText(output);
  const whole = onNewLine(text, status);
  if (utf8Length(whole) <= limitBytes) return whole;
  const metadata = [CUT, ...(dropped ? [droppedText(dropped.files)] : []), status].join('\n');
  const room = limitBytes - utf8Length(metadata) - 1;
  // The status is worth more than the place of a file, and more than any output.
  if (room < 0) return utf8Length(`${CUT}\n${status}`) <= limitBytes ? `${CUT}\n${status}` : status;
  return onNewLine(utf8Tail([...notices].reduce(onNewLine, body), room), metadata);
}

const droppedText = (files: readonly string[]): string =>
  `[some output was dropped from memory; full output: ${files.length > 0 ? files.join(', ') : '(unavailable)'}]`;

const onNewLine = (text: string, line: string): string =>
  text === '' || text.endsWith('\n') ? `${text}${line}` : `${text}\n${line}`;
