import type { GoalRequest } from './change-goal.ts';
import type { GoalRef, GoalState, GoalView } from './goal.ts';
import { goalError, type GoalError } from './goal-error.ts';

/** What a person wants who types `/goal`. */
export type GoalCommand = { kind: 'show' } | { kind: 'change'; request: GoalRequest };

/** Reads what follows `/goal`; whatever is no word of its own is the objective of a new goal. */
export function readGoalCommand(state: GoalState, input: string): GoalCommand | GoalError {
  const words = input.trim();
  const verb = words.toLowerCase();
  switch (verb) {
    case '':
    case 'status':
      return { kind: 'show' };
    case 'pause':
    case 'resume':
    case 'clear': {
      const ref = refOf(state);
      return 'code' in ref ? ref : { kind: 'change', request: { operation: verb, ref } };
    }
    case 'edit':
      return goalError('GOAL_INVALID_EDIT', 'say the new objective: /goal edit <objective>');
  }
  const edited = /^edit\s+(.+)$/is.exec(words)?.[1];
  if (edited === undefined) return created(words);
  const ref = refOf(state);
  if ('code' in ref) return ref;
  return state.record?.goal.phase === 'complete'
    ? created(edited)
    : { kind: 'change', request: { operation: 'edit', ref, objective: edited } };
}

const created = (objective: string): GoalCommand => ({ kind: 'change', request: { operation: 'create', objective } });

function refOf({ record }: GoalState): GoalRef | GoalError {
  if (!record) return goalError('GOAL_NOT_FOUND', 'the session has no goal; /goal <objective> sets one');
  const { id, revision } = record.goal;
  return { id, revision };
}

/** A goal in one line, for a person. */
export function describeGoal(view: GoalView): string {
  if (view.goal === null) return 'no goal; /goal <objective> sets one';
  const { objective, phase, blockedReason, roundsStarted, maxGoalRounds } = view.goal;
  const rounds = phase === 'active' && view.activation === 'disarmed' ? '; /goal resume lets rounds go on' : '';
  const why = blockedReason ? ` (${blockedReason.code}: ${blockedReason.message})` : '';
  return `goal ${phase}${why}, round ${roundsStarted}/${maxGoalRounds}${rounds}: ${objective}`;
}
