import { BlockedReason, GoalRef } from '@everturn/core/domain';
import { z } from 'zod';
import { GoalShape } from '../platform/schemas/goal-shape.ts';
import { RequestReceipt } from '../platform/schemas/receipt.ts';

const objective = z.string().trim().min(1).max(16_384).describe('what is to be reached');
const maxGoalRounds = z.int().positive().optional().describe('most rounds; default 256');

/** A change of the goal; all but the first name it as it was read. */
export const GoalBody = z.discriminatedUnion('operation', [
  z.strictObject({ operation: z.literal('create'), objective, maxGoalRounds }),
  z.strictObject({
    operation: z.literal('edit'),
    ref: GoalRef,
    objective: objective.optional(),
    maxGoalRounds: z.int().positive().optional(),
  }),
  z.strictObject({ operation: z.enum(['pause', 'resume', 'complete']), ref: GoalRef }),
  z.strictObject({ operation: z.literal('block'), ref: GoalRef, reason: BlockedReason }),
]);
export type GoalBody = z.output<typeof GoalBody>;

export const ClearGoal = z.strictObject({ ref: GoalRef });
export type ClearGoal = z.output<typeof ClearGoal>;

export const GoalReport = z.strictObject({
  goal: GoalShape.nullable(),
  activation: z
    .enum(['armed', 'disarmed'])
    .optional()
    .describe('whether rounds follow each other; absent where no worker could be asked'),
});
/** A session's goal, or that it has none. */
export type GoalReport = z.output<typeof GoalReport>;

export const GoalReceiptShape = z.strictObject({ ...RequestReceipt.shape, goal: GoalShape.nullable().optional() });
export type GoalReceiptShape = z.output<typeof GoalReceiptShape>;
