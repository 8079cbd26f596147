import { text } from '@everturn/core/domain';
import type { ProgramEnd } from './program-port.ts';
import { ToolError } from './tool-error.ts';
import { errorResult, type ToolExecutionResult } from './tool-result.ts';

/** Beyond so many spaces indentation tells nobody anything and costs much. */
const MOST_INDENTATION = 10;

export interface ProgramTextInput {
  end: ProgramEnd;
  /** What it printed, line by line. */
  logs: readonly string[];
  /** UTF-16 units of printed text that a failure shows at most. */
  maxCaptured: number;
}

/** What a model reads of a program's end: what it printed and what it returned, or why it failed. */
export function programResult({ end, logs, maxCaptured }: ProgramTextInput): ToolExecutionResult {
  if (end.kind === 'returned') {
    const lines = [...logs, ...(end.json === undefined ? [] : [showValue(end.json)])];
    return { content: [text(lines.join('\n') || '(run_code completed with no output)')], isError: false };
  }
  const captured = logs.join('\n');
  const shown =
    captured.length <= maxCaptured
      ? captured
      : `${captured.slice(0, maxCaptured)}\n[cut here: ${captured.length - maxCaptured} more characters]`;
  const told = shown === '' ? '' : `\nCaptured output:\n${shown}`;
  return errorResult(new ToolError('CODE_RUN_FAILED', `code run failed (${end.failure}): ${end.message}${told}`));
}

/** Text as it is, other values as JSON: with two spaces a level, in one line where levels are many. */
function showValue(json: string): string {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') return value;
  return depthOf(value) * 2 > MOST_INDENTATION ? JSON.stringify(value) : JSON.stringify(value, undefined, 2);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member));
  return deepest + 1;
}
