import {
  afterOtherTurn,
  afterRound,
  assertNever,
  countRound,
  type AfterTurn,
  type GoalRecord,
  type GoalRef,
  type MessageEntry,
  type TurnEndReason,
} from '@everturn/core/domain';
import { changeSessionGoal } from './session-goal.ts';
import type { SessionState } from './session-state.ts';

/** Draws from a turn's end what it means for the goal, if there is one. */
export function settleGoal(
  session: SessionState,
  { source }: Pick<MessageEntry, 'source'>,
  { reason, admitted }: { reason: TurnEndReason; admitted?: boolean },
): void {
  if (!session.goal?.record) return;
  if (source.kind !== 'goal') return apply(session, afterOtherTurn(reason));
  if (source.goalId !== session.goal.record.goal.id) return;
  const counted = admitted ? countRound(session.goal, source) : session.goal;
  if (typeof counted === 'object') session.goal = counted;
  apply(session, afterRound(reason));
}

function apply(session: SessionState, after: AfterTurn): void {
  const { goal } = session;
  if (!goal?.record || goal.record.goal.phase !== 'active' || goal.activation !== 'armed') return;
  const ref = refOf(goal.record);
  switch (after.kind) {
    case 'go-on':
      return;
    case 'disarm':
      session.goal = { ...goal, activation: 'disarmed' };
      return;
    case 'pause':
      changeSessionGoal(session, { operation: 'pause', ref });
      return;
    case 'block':
      changeSessionGoal(session, { operation: 'block', ref, reason: after.reason });
      return;
    default:
      return assertNever(after);
  }
}

/** The goal at the revision it has. */
export const refOf = ({ goal: { id, revision } }: GoalRecord): GoalRef => ({ id, revision });
