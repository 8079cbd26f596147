import { approvePlan, settleKnobs, turnKnobs, type StepKnobs } from '@everturn/core/domain';
import type { KnobUpdate } from '../../contract/index.ts';
import { reportToSession } from './turn-records.ts';
import type { TurnState } from './turn-state.ts';

/** Takes a change, for the next step. */
export function takeKnobs(turn: TurnState, { requestId, change }: KnobUpdate): void {
  turn.knobs = turnKnobs(turn.knobs ?? {}, change, 'busy').knobs;
  turn.consumed.push(requestId);
}

/** A person approved the plan. */
export function endPlan(turn: TurnState): void {
  const { plan, ...rest } = turn.knobs ?? {};
  if (!plan) return;
  turn.knobs = { ...rest, plan: approvePlan(plan) };
  reportToSession(turn);
}

/** Between two steps: what was changed holds from the next one on, and whoever has to know is told. */
export function settleTurnKnobs(turn: TurnState): void {
  if (!turn.knobs) return;
  const { knobs, facts, notices } = settleKnobs(withTold(turn, turn.knobs));
  turn.knobs = knobs;
  turn.notices.push(...notices);
  if (facts.length === 0) return;
  for (const { type, data } of facts) turn.writer.append(type, data as never); // a right pair, as each fact is
  turn.assembled = 'before-change';
  reportToSession(turn);
}

/** The requests of a session that never planned said nothing of it, which is as good as that it does not. */
function withTold({ instance }: TurnState, { plan, ...rest }: StepKnobs): StepKnobs {
  if (!plan) return rest;
  const asked = instance.header !== undefined || instance.logHadHeader;
  return { ...rest, plan: { ...(asked && { told: false }), ...plan } };
}
