import type { ProcessOutcome } from './processes-port.ts';
import { ToolError } from './tool-error.ts';

const PATTERN_ERROR = /regex parse error|error parsing glob|error parsing regex|regex could not be compiled/i;

/** Throws for a run of ripgrep whose output cannot be used; exit 0 and 1 (nothing found) pass. */
export function assertSearched(tool: string, outcome: ProcessOutcome): void {
  const { exitCode, signal, aborted, stdout, stderr } = outcome;
  if (aborted) throw new ToolError('SEARCH_ABORTED', `${tool} search aborted`);
  if (stdout.truncated)
    throw new ToolError(
      'SEARCH_RAW_OUTPUT_OVERFLOW',
      `${tool} found more than can be processed; narrow the pattern or the path`,
    );
  if (exitCode === 0 || exitCode === 1) return;
  const said = `${stderr.text.trim()}${stderr.truncated ? ' (error output truncated)' : ''}`;
  if (PATTERN_ERROR.test(stderr.text))
    throw new ToolError('SEARCH_INVALID_PATTERN', `${tool} pattern rejected by ripgrep: ${said}`);
  const how = signal === null ? `exit ${exitCode}` : `killed by ${signal}`;
  throw new ToolError('SEARCH_FAILED', `${tool} search failed (${how}): ${said || 'ripgrep said nothing'}`);
}
