import { askTeam, orchestrateTool } from '../kit/index.ts';
import { teamInterruptAgent } from './schema.ts';

/** Asks, without waiting for the end. */
export const orchestrateTeamInterruptAgent = orchestrateTool(teamInterruptAgent, ({ target }, call) =>
  askTeam(call, { operation: 'interrupt', target }),
);
