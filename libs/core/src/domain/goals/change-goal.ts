import { assertNever } from '../assert-never.ts';
import {
  BlockedReason,
  DEFAULT_GOAL_ROUNDS,
  LONGEST_OBJECTIVE,
  type Goal,
  type GoalId,
  type GoalRecord,
  type GoalRef,
  type GoalState,
} from './goal.ts';
import { goalError, isGoalError, type GoalError } from './goal-error.ts';
import type { GoalChange } from './goal-events.ts';

/** A change somebody wants; all but the first name the goal as they saw it. */
export type GoalRequest =
  | { operation: 'create'; objective: string; maxGoalRounds?: number }
  | { operation: 'edit'; ref: GoalRef; objective?: string; maxGoalRounds?: number }
  | { operation: 'pause' | 'resume' | 'complete' | 'clear'; ref: GoalRef }
  | { operation: 'block'; ref: GoalRef; reason: BlockedReason };

export interface ChangedGoal {
  state: GoalState;
  change: GoalChange;
}

/** Changes a goal, or says why not; `newId` names the goal that is created, which no goal before may be named. */
export function changeGoal(
  state: GoalState,
  request: GoalRequest,
  { now, newId }: { now: number; newId: GoalId },
): ChangedGoal | GoalError {
  if (request.operation === 'create') return create(state, request, now, newId);
  const { record } = state;
  if (!record) return goalError('GOAL_NOT_FOUND', 'the session has no goal');
  const { goal } = record;
  const { ref } = request;
  if (ref.id !== goal.id || ref.revision !== goal.revision)
    return goalError(
      'GOAL_STALE_REVISION',
      `the goal is ${goal.id} at revision ${goal.revision}, not ${ref.id} at ${ref.revision}; read it again`,
    );
  const at = Math.max(now, record.updatedAt);
  switch (request.operation) {
    case 'edit':
      return edit(state, record, request, at);
    case 'pause':
      return goal.phase === 'active'
        ? moved(record, 'pause', { phase: 'paused' }, at, 'disarmed')
        : wrongPhase(goal, 'pause');
    case 'resume':
      return resume(state, record, at);
    case 'complete':
      return goal.phase === 'complete'
        ? wrongPhase(goal, 'complete')
        : moved(record, 'complete', { phase: 'complete' }, at, 'disarmed');
    case 'block':
      return block(record, request.reason, at);
    case 'clear':
      return {
        state: { activation: 'disarmed' },
        change: {
          kind: 'goal/change',
          version: 1,
          operation: 'clear',
          cleared: { id: goal.id, revision: goal.revision + 1 },
          clearedAt: at,
        },
      };
    default:
      return assertNever(request);
  }
}

function create(
  { record }: GoalState,
  { objective, maxGoalRounds = DEFAULT_GOAL_ROUNDS }: Extract<GoalRequest, { operation: 'create' }>,
  now: number,
  id: GoalId,
): ChangedGoal | GoalError {
  if (record && record.goal.phase !== 'complete')
    return goalError('GOAL_ALREADY_EXISTS', `the session has a goal already, which is ${record.goal.phase}`);
  const bad = checkObjective(objective) ?? checkRounds(maxGoalRounds);
  if (bad) return bad;
  const goal: Goal = { id, revision: 1, objective: objective.trim(), phase: 'active', maxGoalRounds };
  return written({ goal, roundsStarted: 0, createdAt: now, updatedAt: now }, 'create', 'armed');
}

function edit(
  { activation }: GoalState,
  record: GoalRecord,
  { objective, maxGoalRounds }: Extract<GoalRequest, { operation: 'edit' }>,
  at: number,
): ChangedGoal | GoalError {
  if (objective === undefined && maxGoalRounds === undefined)
    return goalError('GOAL_INVALID_EDIT', 'give an objective or a number of rounds');
  const bad =
    (objective === undefined ? undefined : checkObjective(objective)) ??
    (maxGoalRounds === undefined ? undefined : checkRounds(maxGoalRounds));
  if (bad) return bad;
  const fields = {
    ...(objective !== undefined && { objective: objective.trim() }),
    ...(maxGoalRounds !== undefined && { maxGoalRounds }),
  };
  const goal = { ...record.goal, ...fields, revision: record.goal.revision + 1 };
  return written({ ...record, goal, updatedAt: at }, 'edit', activation);
}

function resume({ activation }: GoalState, record: GoalRecord, at: number): ChangedGoal | GoalError {
  const { goal, roundsStarted } = record;
  if (goal.phase === 'complete' || (goal.phase === 'active' && activation === 'armed'))
    return wrongPhase(goal, 'resume');
  if (roundsStarted >= goal.maxGoalRounds)
    return goalError(
      'GOAL_INVALID_TRANSITION',
      `all ${goal.maxGoalRounds} rounds are used; edit the goal to allow more`,
    );
  return moved(record, 'resume', { phase: 'active' }, at, 'armed');
}

function block(record: GoalRecord, reason: BlockedReason, at: number): ChangedGoal | GoalError {
  if (!BlockedReason.safeParse(reason).success)
    return goalError('GOAL_INVALID_BLOCK_REASON', 'a reason needs a code in lower case with dashes, and a message');
  if (record.goal.phase !== 'active') return wrongPhase(record.goal, 'block');
  return moved(record, 'block', { phase: 'blocked', blockedReason: reason }, at, 'disarmed');
}

function moved(
  record: GoalRecord,
  operation: 'pause' | 'resume' | 'complete' | 'block',
  to: Pick<Goal, 'phase' | 'blockedReason'>,
  at: number,
  activation: GoalState['activation'],
): ChangedGoal {
  const { blockedReason: _before, ...goal } = record.goal;
  return written(
    { ...record, goal: { ...goal, ...to, revision: goal.revision + 1 }, updatedAt: at },
    operation,
    activation,
  );
}

function written(
  record: GoalRecord,
  operation: Exclude<GoalChange['operation'], 'clear'>,
  activation: GoalState['activation'],
): ChangedGoal {
  return { state: { record, activation }, change: { kind: 'goal/change', version: 1, operation, ...record } };
}

function checkObjective(objective: string): GoalError | undefined {
  if (objective.trim() !== '' && objective.length <= LONGEST_OBJECTIVE) return undefined;
  return goalError(
    'GOAL_INVALID_OBJECTIVE',
    `an objective has 1 to ${LONGEST_OBJECTIVE} characters that say something`,
  );
}

function checkRounds(rounds: number): GoalError | undefined {
  if (Number.isSafeInteger(rounds) && rounds > 0) return undefined;
  return goalError('GOAL_INVALID_MAX_ROUNDS', 'the number of rounds must be a whole number above 0');
}

const wrongPhase = ({ phase }: Goal, operation: string): GoalError =>
  goalError(
    'GOAL_INVALID_TRANSITION',
    `a goal that is ${phase} cannot ${operation}${phase === 'active' ? ': it runs' : ''}`,
  );

/** Whether a change went through. */
export const isChanged = (result: ChangedGoal | GoalError): result is ChangedGoal => !isGoalError(result);
