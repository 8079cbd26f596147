import { z } from 'zod';
import type { SessionEventMap } from './events.ts';
import { settlePlan, switchPlan, type KnobSwitch, type PlanMode } from './plan-mode.ts';

/** Which model a session's requests go to, as somebody chose while it lived. */
export const ModelChoice = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  reasoningEffort: z.enum(['off', 'low', 'medium', 'high', 'max']).exactOptional(),
});
export type ModelChoice = z.infer<typeof ModelChoice>;

/** What changes only between two steps; what was never touched is absent. */
export interface StepKnobs {
  plan?: PlanMode;
  model?: { now?: ModelChoice; next?: ModelChoice };
}

/** What somebody wants changed. */
export interface KnobChange {
  plan?: boolean;
  model?: ModelChoice;
}

/** What the log says of a change. */
export type KnobFact = {
  [T in 'plan/mode' | 'model/choice']: { type: T; data: SessionEventMap[T] };
}['plan/mode' | 'model/choice'];

export interface TurnedKnobs {
  knobs: StepKnobs;
  result: KnobSwitch;
  /** To be written at once. */
  facts: KnobFact[];
}

/** Takes a change: it holds at once while nothing runs, else from the next step on. */
export function turnKnobs(knobs: StepKnobs, change: KnobChange, session: 'idle' | 'busy'): TurnedKnobs {
  if (change.model) return chooseModel(knobs, change.model, session);
  if (change.plan === undefined) return { knobs, result: 'noop', facts: [] };
  const { plan, result } = switchPlan(knobs.plan ?? { active: false }, change.plan, session);
  if (result === 'noop') return { knobs, result, facts: [] };
  const facts: KnobFact[] = result === 'committed' ? [{ type: 'plan/mode', data: { active: plan.active } }] : [];
  return { knobs: { ...knobs, plan }, result, facts };
}

function chooseModel(knobs: StepKnobs, wanted: ModelChoice, session: 'idle' | 'busy'): TurnedKnobs {
  const { now, next } = knobs.model ?? {};
  const latest = next ?? now;
  if (latest && isSameChoice(latest, wanted)) return { knobs, result: 'noop', facts: [] };
  if (session === 'busy') {
    const back = now !== undefined && isSameChoice(now, wanted);
    const model = { ...(now && { now }), ...(!back && { next: wanted }) };
    return { knobs: { ...knobs, model }, result: back ? 'cancelled' : 'queued', facts: [] };
  }
  const facts: KnobFact[] = [{ type: 'model/choice', data: wanted }];
  return { knobs: { ...knobs, model: { now: wanted } }, result: 'committed', facts };
}

const isSameChoice = (a: ModelChoice, b: ModelChoice): boolean =>
  a.provider === b.provider && a.model === b.model && a.reasoningEffort === b.reasoningEffort;

/** What holds from this step on, what the log and the model are told of it, and whether requests look different now. */
export function settleKnobs({ plan, model }: StepKnobs): {
  knobs: StepKnobs;
  facts: KnobFact[];
  notices: string[];
} {
  const facts: KnobFact[] = [];
  const settled = plan && settlePlan(plan);
  if (settled?.changed) facts.push({ type: 'plan/mode', data: { active: settled.plan.active } });
  if (model?.next) facts.push({ type: 'model/choice', data: model.next });
  const now = model?.next ?? model?.now;
  return {
    knobs: { ...(settled && { plan: settled.plan }), ...(now && { model: { now } }) },
    facts,
    notices: settled?.notice === undefined ? [] : [settled.notice],
  };
}
