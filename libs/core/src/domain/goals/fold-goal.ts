import { canonicalJson } from '../canonical-json.ts';
import { changeGoal, isChanged, type GoalRequest } from './change-goal.ts';
import { NO_GOAL, type GoalRecord, type GoalState, type GoalView } from './goal.ts';
import type { GoalChange, GoalSource } from './goal-events.ts';

/** What a log says about goals, in order: changes, and the messages of rounds that were let in. */
export type GoalFact = { kind: 'change'; change: GoalChange } | { kind: 'round'; source: GoalSource };

/** The goal a log leaves behind, disarmed; a text where the log contradicts itself. */
export function foldGoal(facts: readonly GoalFact[]): GoalState | string {
  let state: GoalState = NO_GOAL;
  const used = new Set<string>();
  for (const fact of facts) {
    const next = fact.kind === 'round' ? countRound(state, fact.source) : follow(state, fact.change, used);
    if (typeof next === 'string') return next;
    state = next;
  }
  return { ...state, activation: 'disarmed' };
}

/**
 * The goal by the newest word on it alone: a change is a whole value, and rounds that began after it, or while it was
 * being written, are counted by the newest of their messages. As `foldGoal` says where the log is sound.
 */
export function latestGoal(change: GoalChange | undefined, round: GoalSource | undefined): GoalView['goal'] {
  if (!change || change.operation === 'clear') return null;
  const { goal, roundsStarted } = change;
  const began = round?.goalId === goal.id ? round.round : 0;
  return { ...goal, roundsStarted: Math.max(roundsStarted, began) };
}

/** A round has begun: its message is in the log. Counted again it is counted once. */
export function countRound(state: GoalState, { goalId, round }: GoalSource): GoalState | string {
  const { record } = state;
  if (!record || record.goal.id !== goalId) return `round ${round} of ${goalId}, which is not the goal`;
  if (round === record.roundsStarted) return state;
  if (round !== record.roundsStarted + 1) return `round ${round} follows round ${record.roundsStarted}`;
  return { ...state, record: { ...record, roundsStarted: round } };
}

/** A change is right if it is what the same request would make of the goal before. */
function follow(state: GoalState, change: GoalChange, used: Set<string>): GoalState | string {
  const request = requestOf(state.record, change);
  if (typeof request === 'string') return request;
  if (change.operation === 'create') {
    if (used.has(change.goal.id)) return `${change.goal.id} was a goal before`;
    used.add(change.goal.id);
  }
  const now = change.operation === 'clear' ? change.clearedAt : change.updatedAt;
  const newId = change.operation === 'clear' ? change.cleared.id : change.goal.id;
  // Whether it was armed the log does not say; what was resumed may have been active.
  const result = changeGoal({ ...state, activation: 'disarmed' }, request, { now, newId });
  if (!isChanged(result)) return `${change.operation}: ${result.message}`;
  // A change that came while a round was being let in may not have counted it yet.
  const said = change.operation === 'clear' ? {} : { roundsStarted: change.roundsStarted };
  return canonicalJson({ ...result.change, ...said }) === canonicalJson(change)
    ? result.state
    : `${change.operation} says something else than it does`;
}

function requestOf(record: GoalRecord | undefined, change: GoalChange): GoalRequest | string {
  if (change.operation === 'create') {
    const { objective, maxGoalRounds } = change.goal;
    return { operation: 'create', objective, maxGoalRounds };
  }
  if (!record) return `${change.operation} of no goal`;
  const { id, revision } = record.goal;
  const ref = { id, revision };
  if (change.operation === 'edit') {
    const { objective, maxGoalRounds } = change.goal;
    return { operation: 'edit', ref, objective, maxGoalRounds };
  }
  if (change.operation !== 'block') return { operation: change.operation, ref };
  const { blockedReason } = change.goal;
  return blockedReason ? { operation: 'block', ref, reason: blockedReason } : 'blocked for no reason';
}
