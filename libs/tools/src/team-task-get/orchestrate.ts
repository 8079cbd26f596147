import { orchestrateTool, readTeam } from '../kit/index.ts';
import { teamTaskGet } from './schema.ts';

/** The task as the log of the lead has it. */
export const orchestrateTeamTaskGet = orchestrateTool(teamTaskGet, ({ task_id: taskId }, call) =>
  readTeam(call, { about: 'task', taskId }),
);
