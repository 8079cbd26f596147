/** What may be wrong with a change of a goal, and with a tool's wish for one. */
export const GOAL_ERRORS = [
  'GOAL_NOT_FOUND',
  'GOAL_ALREADY_EXISTS',
  'GOAL_STALE_REVISION',
  'GOAL_INVALID_OBJECTIVE',
  'GOAL_INVALID_MAX_ROUNDS',
  'GOAL_INVALID_BLOCK_REASON',
  'GOAL_INVALID_EDIT',
  'GOAL_INVALID_TRANSITION',
  'GOAL_TOOL_AUTHORITY_REQUIRED',
  'GOAL_TOOL_DRIVER_REQUIRED',
  'GOAL_TOOL_AGENT_REQUIRED',
  'GOAL_TOOL_BLOCK_THRESHOLD',
  'GOAL_TOOL_INVALID_UPDATE',
] as const;
export type GoalErrorCode = (typeof GOAL_ERRORS)[number];

/** A refusal, before anything has changed. */
export interface GoalError {
  code: GoalErrorCode;
  message: string;
}

/** Makes a refusal. */
export const goalError = (code: GoalErrorCode, message: string): GoalError => ({ code, message });

/** Whether something was refused. */
export const isGoalError = (value: object): value is GoalError => 'code' in value && 'message' in value;
