import { askTeam, orchestrateTool } from '../kit/index.ts';
import { teamTaskCreate } from './schema.ts';

/** Answers once the task is on the board. */
export const orchestrateTeamTaskCreate = orchestrateTool(
  teamTaskCreate,
  ({ blocked_by: blockedBy, write_scopes: writeScopes, ...task }, call) =>
    askTeam(call, {
      operation: 'create-task',
      task: { ...task, ...(blockedBy && { blockedBy }), ...(writeScopes && { writeScopes }) },
    }),
);
