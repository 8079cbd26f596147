import { orchestrateTool, readTeam } from '../kit/index.ts';
import { teamListAgents } from './schema.ts';

/** Everybody, as their sessions stand. */
export const orchestrateTeamListAgents = orchestrateTool(teamListAgents, (_none, call) =>
  readTeam(call, { about: 'members' }),
);
