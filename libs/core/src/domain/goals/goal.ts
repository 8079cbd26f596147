import { z } from 'zod';

export const DEFAULT_GOAL_ROUNDS = 256;
/** A model may give a goal up only after so many rounds of its own. */
export const BLOCKED_AFTER_ROUNDS = 3;
export const LONGEST_OBJECTIVE = 16_384;

export const GoalId = z
  .string()
  .regex(/^goal-[0-9a-f-]{36}$/, 'a goal id reads goal-<uuid>')
  .brand<'GoalId'>();
export type GoalId = z.infer<typeof GoalId>;

/** A goal at one of its revisions; who changes it names the one they saw. */
export const GoalRef = z.strictObject({ id: GoalId, revision: z.int().positive() });
export type GoalRef = z.infer<typeof GoalRef>;

export const GoalPhase = z.enum(['active', 'paused', 'blocked', 'complete']);
export type GoalPhase = z.infer<typeof GoalPhase>;

/** Why a goal is blocked; the code in lower case with dashes. */
export const BlockedReason = z.strictObject({
  code: z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'a code in lower case with dashes'),
  message: z.string().min(1),
});
export type BlockedReason = z.infer<typeof BlockedReason>;

export const Goal = z
  .strictObject({
    ...GoalRef.shape,
    objective: z.string().min(1),
    phase: GoalPhase,
    maxGoalRounds: z.int().positive(),
    blockedReason: BlockedReason.exactOptional(),
  })
  .refine(({ phase, blockedReason }) => (phase === 'blocked') === (blockedReason !== undefined), {
    message: 'exactly a blocked goal has a reason',
  });
export type Goal = z.infer<typeof Goal>;

/** What the log says of a session's goal; times in epoch ms. */
export interface GoalRecord {
  goal: Goal;
  /** Rounds whose message was let in. */
  roundsStarted: number;
  createdAt: number;
  updatedAt: number;
}

/** Whether rounds follow each other by themselves. Never in the log: every life of a session begins disarmed. */
export type GoalActivation = 'armed' | 'disarmed';

/** A session's goal as it stands; without a record there is none. */
export interface GoalState {
  record?: GoalRecord;
  activation: GoalActivation;
}

/** Before the first. */
export const NO_GOAL: GoalState = Object.freeze({ activation: 'disarmed' });

/** A goal as its owner is told of it. */
export type GoalView = { goal: null } | { goal: Goal & { roundsStarted: number }; activation: GoalActivation };

/** Shows the goal, or that there is none. */
export const viewGoal = ({ record, activation }: GoalState): GoalView =>
  record ? { goal: { ...record.goal, roundsStarted: record.roundsStarted }, activation } : { goal: null };
