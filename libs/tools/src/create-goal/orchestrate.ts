import { askGoal, orchestrateTool } from '../kit/index.ts';
import { createGoal } from './schema.ts';

/** Asks the session for a goal; a zero some models fill in counts as left out. */
export const orchestrateCreateGoal = orchestrateTool(
  createGoal,
  async ({ objective, max_goal_rounds: rounds }, context) => {
    const { content } = await askGoal(context, {
      tool: 'create',
      objective,
      ...(rounds !== undefined && rounds !== 0 && { maxGoalRounds: rounds }),
    });
    return { events: [], output: { content } };
  },
);
