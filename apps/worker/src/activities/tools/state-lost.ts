import { errorResult, ToolError, type ToolExecutionResult } from '@everturn/tools/kit';

/** A call that needs state which an earlier process of this machine held. */
export function stateLost(name: string): ToolExecutionResult {
  return errorResult(
    new ToolError(
      'TOOL_STATE_LOST',
      `the worker was restarted and the state "${name}" works with is lost; nothing ran. Begin anew`,
    ),
  );
}
