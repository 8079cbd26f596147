import type { MaybeRef } from './blob.ts';
import { text } from './content.ts';
import type { ContentBlock } from './content.ts';
import type { ToolErrorInfo } from './failures.ts';
import type { JsonValue } from './json.ts';

/** How a call ended, as its `tool/result` says it. */
export interface CallResult {
  content: MaybeRef<ContentBlock[]>;
  isError: boolean;
  error?: ToolErrorInfo;
  meta?: JsonValue;
}

/** What the claim of a call said when it was settled. */
export type SettledCall = { state: 'done'; result: CallResult } | { state: 'unknown' } | { state: 'not-started' };

/** What a call is answered with after a crash: its claim knows best, else whether the log says that it was started. */
export function settledResult(settled: SettledCall | undefined, started: boolean): CallResult {
  switch (settled?.state) {
    case 'done':
      return settled.result;
    case 'unknown':
      return outcomeUnknownResult();
    case 'not-started':
      return notStartedResult();
    default:
      return started ? outcomeUnknownResult() : notStartedResult();
  }
}

/** The result of a call that certainly did not run. */
export function notStartedResult(): CallResult {
  return {
    content: [
      text(
        'The run was interrupted before this tool call started. Nothing was done; call it again if it is still needed.',
      ),
    ],
    isError: true,
    error: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' },
  };
}

/** The result of a call that was started and whose effect nobody can tell. */
export function outcomeUnknownResult(): CallResult {
  return {
    content: [
      text(
        'The run was interrupted while this tool call was under way, so its outcome is unknown: it may have taken effect. ' +
          'Repeat it only if it reads or is idempotent; otherwise check what happened first, or ask.',
      ),
    ],
    isError: true,
    error: { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' },
  };
}
