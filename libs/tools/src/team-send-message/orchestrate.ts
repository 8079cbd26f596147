import { askTeam, orchestrateTool } from '../kit/index.ts';
import { teamSendMessage } from './schema.ts';

/** Answers once the message is kept. */
export const orchestrateTeamSendMessage = orchestrateTool(teamSendMessage, (mail, call) =>
  askTeam(call, { operation: 'send', ...mail }),
);
