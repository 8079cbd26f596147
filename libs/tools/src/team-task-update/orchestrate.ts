import { askTeam, orchestrateTool } from '../kit/index.ts';
import { teamTaskUpdate } from './schema.ts';

/** Answers once the change is on the board. */
export const orchestrateTeamTaskUpdate = orchestrateTool(
  teamTaskUpdate,
  (
    { task_id: taskId, expected_revision: expectedRevision, blocked_by: blockedBy, write_scopes: writeScopes, ...rest },
    call,
  ) =>
    askTeam(call, {
      operation: 'change-task',
      change: {
        taskId,
        expectedRevision,
        ...rest,
        ...(blockedBy && { blockedBy }),
        ...(writeScopes && { writeScopes }),
      },
    }),
);
