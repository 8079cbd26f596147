import { askGoal, orchestrateTool } from '../kit/index.ts';
import { getGoal } from './schema.ts';

/** Reads the goal as it stands now. */
export const orchestrateGetGoal = orchestrateTool(getGoal, async (_args, context) => {
  const { content } = await askGoal(context, { tool: 'get' });
  return { events: [], output: { content } };
});
