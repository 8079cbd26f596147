import { goalClosing, text } from '@everturn/core/domain';
import { askGoal, orchestrateTool } from '../kit/index.ts';
import { updateGoal } from './schema.ts';

/** Asks the session for a change; empty texts and zeros some models fill in count as left out. */
export const orchestrateUpdateGoal = orchestrateTool(updateGoal, async (args, context) => {
  const { goal_id: id, revision, action, objective, max_goal_rounds: rounds, blocked_reason: reason } = args;
  const { content, by } = await askGoal(context, {
    tool: 'update',
    id,
    revision,
    action,
    ...(objective && { objective }),
    ...(rounds && { maxGoalRounds: rounds }),
    ...(reason && { blockedReason: reason }),
  });
  if (by !== 'round' || (action !== 'complete' && action !== 'blocked')) return { events: [], output: { content } };
  const closing = { content: [text(goalClosing(action))], source: { kind: 'plugin' as const, plugin: 'goal' } };
  return { events: [], output: { settled: { content, isError: false, additionalContexts: [closing] } } };
});
