import { BlockedReason, GoalId, GoalPhase } from '@everturn/core/domain';
import { z } from 'zod';

/** A goal as its owner is shown it. */
export const GoalShape = z.strictObject({
  id: GoalId,
  revision: z.int(),
  objective: z.string(),
  phase: GoalPhase,
  maxGoalRounds: z.int(),
  blockedReason: BlockedReason.optional(),
  roundsStarted: z.int(),
});
