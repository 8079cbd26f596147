/** What may be wrong with a wish about a team. */
export type TeamErrorCode = `TEAM_${
  | 'INVALID_TIMEOUT'
  | 'WAIT_ABORTED'
  | 'DISPOSED'
  | 'INVALID_ARGUMENT'
  | 'INVALID_WRITE_SCOPE'
  | 'INVALID_MEMBER_NAME'
  | 'INVALID_TARGET'
  | 'NOT_MEMBER'
  | 'LEAD_REQUIRED'
  | 'SELF_MESSAGE'
  | 'MAILBOX_FULL'
  | 'MESSAGE_TOO_LARGE'
  | 'MEMBER_NOT_FOUND'
  | 'MEMBER_NAME_TAKEN'
  | 'MEMBER_LIMIT'
  | 'PROVISIONING_CONFLICT'
  | 'TASK_NOT_FOUND'
  | 'TASK_LIMIT'
  | 'TASK_STALE_REVISION'
  | 'TASK_DELETED'
  | 'TASK_UNAUTHORIZED'
  | 'TASK_ALREADY_CLAIMED'
  | 'TASK_BLOCKED'
  | 'TASK_INVALID_TRANSITION'
  | 'TASK_HAS_DEPENDENTS'
  | 'TASK_DEPENDENCY_CYCLE'}`;

/** A refusal, before anything has changed. */
export interface TeamError {
  code: TeamErrorCode;
  message: string;
}

/** Makes a refusal. */
export const teamError = (code: TeamErrorCode, message: string): TeamError => ({ code, message });

/** Whether something was refused. */
export const isTeamError = (value: object): value is TeamError => 'code' in value && 'message' in value;
