import { ActivityFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { errorResult, ToolError } from '@everturn/tools/kit';
import type { ToolOutcome } from '../contract/index.ts';

/** A side effect whose worker was lost: it may have happened. */
export function outcomeUnknown(): ToolOutcome {
  return errorResult(
    new ToolError(
      'TOOL_OUTCOME_UNKNOWN',
      'the call was started and its outcome is unknown; retry it only if it is read-only or idempotent, ' +
        'otherwise verify first or ask',
    ),
  );
}

/** No machine can take the call. */
export function hostGone(reason: string): ToolOutcome {
  return errorResult(new ToolError('TOOL_HOST_GONE', reason));
}

/** Whether an activity failed because nobody took it from its queue in time. */
export function isNotPickedUp(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof TimeoutFailure &&
    error.cause.timeoutType === TimeoutType.SCHEDULE_TO_START
  );
}
