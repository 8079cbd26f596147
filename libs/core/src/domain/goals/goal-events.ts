import { z } from 'zod';
import { registerEvent } from '../event-registry.ts';
import { messageSources } from '../message-sources.ts';
import { Goal, GoalId, GoalRef } from './goal.ts';

const stamp = z.int().nonnegative();
const common = { kind: z.literal('goal/change'), version: z.literal(1) };

/** A change of a session's goal, as a whole value; a goal that was cleared leaves its name behind. */
export const GoalChange = z.union([
  z.strictObject({
    ...common,
    operation: z.enum(['create', 'edit', 'pause', 'resume', 'complete', 'block']),
    goal: Goal,
    roundsStarted: z.int().nonnegative(),
    createdAt: stamp,
    updatedAt: stamp,
  }),
  z.strictObject({ ...common, operation: z.literal('clear'), cleared: GoalRef, clearedAt: stamp }),
]);
export type GoalChange = z.infer<typeof GoalChange>;

/** Who says what a round is for. */
export interface GoalSource {
  kind: 'goal';
  goalId: GoalId;
  revision: number;
  round: number;
}

declare module '../events.ts' {
  interface SessionEventMap {
    'goal/change': GoalChange;
  }
}
declare module '../messages.ts' {
  interface MessageSourceMap {
    goal: GoalSource;
  }
}

registerEvent('goal/change', { schema: GoalChange, outOfBand: true });
messageSources.register(
  'goal',
  z.strictObject({ kind: z.literal('goal'), goalId: GoalId, revision: z.int().positive(), round: z.int().positive() }),
);
