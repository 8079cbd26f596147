/** What may be wrong with a wish about a team. */
export const TEAM_ERRORS = [
  'TEAM_INVALID_TIMEOUT',
  'TEAM_WAIT_ABORTED',
  'TEAM_DISPOSED',
  'TEAM_INVALID_ARGUMENT',
  'TEAM_INVALID_WRITE_SCOPE',
  'TEAM_INVALID_MEMBER_NAME',
  'TEAM_INVALID_TARGET',
  'TEAM_NOT_MEMBER',
  'TEAM_LEAD_REQUIRED',
  'TEAM_SELF_MESSAGE',
  'TEAM_MAILBOX_FULL',
  'TEAM_MESSAGE_TOO_LARGE',
  'TEAM_MEMBER_NOT_FOUND',
  'TEAM_MEMBER_NAME_TAKEN',
  'TEAM_MEMBER_LIMIT',
  'TEAM_PROVISIONING_CONFLICT',
  'TEAM_TASK_NOT_FOUND',
  'TEAM_TASK_LIMIT',
  'TEAM_TASK_STALE_REVISION',
  'TEAM_TASK_DELETED',
  'TEAM_TASK_UNAUTHORIZED',
  'TEAM_TASK_ALREADY_CLAIMED',
  'TEAM_TASK_BLOCKED',
  'TEAM_TASK_INVALID_TRANSITION',
  'TEAM_TASK_HAS_DEPENDENTS',
  'TEAM_TASK_DEPENDENCY_CYCLE',
] as const;
export type TeamErrorCode = (typeof TEAM_ERRORS)[number];

/** A refusal, before anything has changed. */
export interface TeamError {
  code: TeamErrorCode;
  message: string;
}

/** Makes a refusal. */
export const teamError = (code: TeamErrorCode, message: string): TeamError => ({ code, message });

/** Why a member could not be made, in the words of teams. */
export const provisioningError = ({
  code,
  message,
}: {
  code: string;
  message: string;
}): { code: string; message: string } => ({
  code: code === 'DUPLICATE_CHILD' ? 'TEAM_PROVISIONING_CONFLICT' : code,
  message,
});

/** Whether something was refused. */
export const isTeamError = (value: object): value is TeamError => 'code' in value && 'message' in value;
