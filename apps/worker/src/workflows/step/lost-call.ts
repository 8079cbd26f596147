import { ActivityFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { errorResult, ToolError } from '@everturn/tools/kit';
import type { ToolOutcome } from '../../contract/index.ts';

/** No machine can take the call. */
export function hostGone(reason: string): ToolOutcome {
  return errorResult(new ToolError('TOOL_HOST_GONE', reason));
}

/** Whether a call met a later process than the one it was meant for. */
export const isStateLost = ({ error }: ToolOutcome): boolean => error?.code === 'TOOL_STATE_LOST';

/** Whether an activity failed because nobody took it from its queue in time. */
export function isNotPickedUp(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof TimeoutFailure &&
    error.cause.timeoutType === TimeoutType.SCHEDULE_TO_START
  );
}
