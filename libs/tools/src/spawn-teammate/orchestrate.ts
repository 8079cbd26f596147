import { askTeam, orchestrateTool } from '../kit/index.ts';
import { spawnTeammate } from './schema.ts';

/** Answers once the member is at work. */
export const orchestrateSpawnTeammate = orchestrateTool(spawnTeammate, ({ context = 'fresh', ...member }, call) =>
  askTeam(call, { operation: 'spawn', ...member, context }),
);
