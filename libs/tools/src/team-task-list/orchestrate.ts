import { orchestrateTool, readTeam } from '../kit/index.ts';
import { teamTaskList } from './schema.ts';

/** A page of the board as the log of the lead has it. */
export const orchestrateTeamTaskList = orchestrateTool(teamTaskList, (filter, call) =>
  readTeam(call, { about: 'tasks', filter }),
);
