import { z } from 'zod';
import type { QuestionAnswer } from './questions.ts';

export const PlanEnforcement = z.enum(['prompt', 'deny']);
/** Whether plan mode only asks the model to change nothing, or also refuses the tools that could. */
export type PlanEnforcement = z.infer<typeof PlanEnforcement>;

/** What a call is told that plan mode refuses. */
export const PLAN_DENIAL = 'plan mode is active; present the plan with exit_plan_mode first';

/** The question a plan is reviewed by, and its answers. */
export const PLAN_REVIEW = { id: 'plan-review', approve: 'Approve', keep: 'Keep planning' } as const;

/** Whether a session plans before it acts. Absent in a session that never did. */
export interface PlanMode {
  active: boolean;
  /** What it becomes before the next step; `review` = a person approved the plan, which the model knows. */
  next?: { active: boolean; by: 'user' | 'review' };
  /** What the model was told last; absent = nothing yet. */
  told?: boolean;
}

/** What became of somebody's wish; `cancelled` = it only took back what was about to happen. */
export type KnobSwitch = 'committed' | 'queued' | 'cancelled' | 'noop';

/** Switches plan mode: at once while nothing runs, else before the next step. */
export function switchPlan(
  plan: PlanMode,
  wanted: boolean,
  session: 'idle' | 'busy',
): { plan: PlanMode; result: KnobSwitch } {
  const { next, ...settled } = plan;
  if (wanted === (next?.active ?? plan.active)) return { plan, result: 'noop' };
  if (wanted === plan.active) return { plan: settled, result: 'cancelled' };
  if (session === 'idle') return { plan: { ...settled, active: wanted }, result: 'committed' };
  return { plan: { ...settled, next: { active: wanted, by: 'user' } }, result: 'queued' };
}

/** A person approved the plan: plan mode ends before the next step. */
export function approvePlan(plan: PlanMode): PlanMode {
  return plan.active ? { ...plan, next: { active: false, by: 'review' } } : plan;
}

/** What holds from this step on, whether that is new, and what the model has to be told about it. */
export function settlePlan({ active, next, told }: PlanMode): { plan: PlanMode; changed: boolean; notice?: string } {
  const now = next?.active ?? active;
  const known = next?.by === 'review' ? now : told;
  return {
    plan: { active: now, told: now },
    changed: now !== active,
    ...(known !== undefined && known !== now && { notice: now ? SWITCHED_ON : SWITCHED_OFF }),
  };
}

const SWITCHED_ON = 'The user switched plan mode on: explore and plan, and change nothing until the plan is approved.';
const SWITCHED_OFF = 'The user switched plan mode off: you may act from now on.';

export interface OpenPlanInput {
  /** What the log says last; absent = nothing. */
  recorded?: boolean;
  /** A plan was approved after that, and nothing came of it. */
  approved?: boolean;
  /** Whether it was active at the log's last request; absent where there was none. */
  told?: boolean;
  /** What the session was created with. */
  atCreation: boolean;
}

/** Plan mode when a session opens; nothing for one that never planned. */
export function openPlan({ recorded, approved = false, told, atCreation }: OpenPlanInput): PlanMode | undefined {
  const known = told === undefined ? {} : { told };
  if (recorded !== undefined) {
    const plan: PlanMode = { active: recorded, ...known };
    return approved ? approvePlan(plan) : plan;
  }
  return atCreation ? { active: false, next: { active: true, by: 'user' }, ...known } : undefined;
}

/** What a person said of a plan: only the approval alone is one, and whatever else they said is feedback. */
export function reviewOf(
  answers: readonly QuestionAnswer[],
): { kind: 'approved' } | { kind: 'keep'; feedback?: string } {
  const [answer] = answers;
  const alone = answers.length === 1 && answer?.id === PLAN_REVIEW.id && answer.custom === undefined;
  if (alone && answer.selected.length === 1 && answer.selected[0] === PLAN_REVIEW.approve) return { kind: 'approved' };
  const said = answers.flatMap(({ custom }) => (custom === undefined ? [] : [custom]));
  return { kind: 'keep', ...(said.length > 0 && { feedback: said.join('\n\n') }) };
}
