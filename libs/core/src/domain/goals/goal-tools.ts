import { assertNever } from '../assert-never.ts';
import type { GoalRequest } from './change-goal.ts';
import { BLOCKED_AFTER_ROUNDS, GoalId, type GoalState } from './goal.ts';
import { goalError, type GoalError } from './goal-error.ts';
import type { GoalSource } from './goal-events.ts';
import type { MessageSource } from '../messages.ts';

/** On whose word a turn may change the goal: a person's, that of the round it is, or nobody's; no turn may run at all. */
export type GoalAuthority = { kind: 'person' } | { kind: 'round'; source: GoalSource } | { kind: 'none' | 'no-turn' };

/** On whose word the turn that runs may: only a person who wrote to it speaks for people, and nobody to an agent of another. */
export function goalAuthority(turn: {
  /** Whose message it answers; `undefined` = none runs. */
  source: MessageSource | undefined;
  /** Whether a person has written to it since. */
  spoken: boolean;
  /** Whether the session works for another. */
  owned: boolean;
}): GoalAuthority {
  const { source, spoken, owned } = turn;
  if (!source) return { kind: 'no-turn' };
  if (owned) return { kind: 'none' };
  if (spoken || source.kind === 'user') return { kind: 'person' };
  return source.kind === 'goal' ? { kind: 'round', source } : { kind: 'none' };
}

/** What a model asks for; empty texts and zeros it fills in count as left out. */
export type GoalToolRequest =
  | { tool: 'get' }
  | { tool: 'create'; objective: string; maxGoalRounds?: number }
  | {
      tool: 'update';
      id: string;
      revision: number;
      action: 'edit' | 'pause' | 'resume' | 'complete' | 'blocked';
      objective?: string;
      maxGoalRounds?: number;
      blockedReason?: string;
    };

/** The change a tool's call comes down to, if the turn may make it. */
export function readToolRequest(
  state: GoalState,
  request: Exclude<GoalToolRequest, { tool: 'get' }>,
  authority: GoalAuthority,
): GoalRequest | GoalError {
  if (authority.kind === 'no-turn') return goalError('GOAL_TOOL_DRIVER_REQUIRED', 'no turn of the session runs');
  if (request.tool === 'create') {
    const { objective, maxGoalRounds } = request;
    if (authority.kind !== 'person') return notAllowed('create a goal');
    return { operation: 'create', objective, ...(maxGoalRounds !== undefined && { maxGoalRounds }) };
  }
  const foreign = foreignField(request);
  if (foreign) return goalError('GOAL_TOOL_INVALID_UPDATE', foreign);
  const refused = refusalOf(state, request, authority);
  if (refused) return refused;
  const id = GoalId.safeParse(request.id);
  if (!id.success) return goalError('GOAL_STALE_REVISION', `there is no goal ${request.id}; read it again`);
  const ref = { id: id.data, revision: request.revision };
  switch (request.action) {
    case 'edit': {
      const { objective, maxGoalRounds } = request;
      return {
        operation: 'edit',
        ref,
        ...(objective !== undefined && { objective }),
        ...(maxGoalRounds !== undefined && { maxGoalRounds }),
      };
    }
    case 'blocked':
      return { operation: 'block', ref, reason: { code: 'model-reported', message: request.blockedReason ?? '' } };
    case 'pause':
    case 'resume':
    case 'complete':
      return { operation: request.action, ref };
    default:
      return assertNever(request.action);
  }
}

type Update = Extract<GoalToolRequest, { tool: 'update' }>;

function foreignField({ action, objective, maxGoalRounds, blockedReason }: Update): string | undefined {
  if (action !== 'edit' && (objective !== undefined || maxGoalRounds !== undefined))
    return `objective and max_goal_rounds belong to the action edit, not to ${action}`;
  if (action !== 'blocked' && blockedReason !== undefined)
    return `blocked_reason belongs to the action blocked, not to ${action}`;
  return action === 'blocked' && blockedReason === undefined ? 'the action blocked needs a blocked_reason' : undefined;
}

function refusalOf({ record }: GoalState, { action }: Update, authority: GoalAuthority): GoalError | undefined {
  if (authority.kind === 'person') return undefined;
  const isCurrent =
    authority.kind === 'round' &&
    record !== undefined &&
    authority.source.goalId === record.goal.id &&
    authority.source.revision === record.goal.revision &&
    authority.source.round === record.roundsStarted;
  if (!isCurrent || (action !== 'complete' && action !== 'blocked')) return notAllowed(`${action} it`);
  if (action === 'blocked' && record.roundsStarted < BLOCKED_AFTER_ROUNDS)
    return goalError(
      'GOAL_TOOL_BLOCK_THRESHOLD',
      `a goal is reported as blocked in round ${BLOCKED_AFTER_ROUNDS} at the earliest, this is round ${record.roundsStarted}: try another way`,
    );
  return undefined;
}

const notAllowed = (what: string): GoalError =>
  goalError(
    'GOAL_TOOL_AUTHORITY_REQUIRED',
    `only a turn in which a person spoke may ${what}; a round of the goal may complete it or report it as blocked`,
  );

/** What the model of a round is told after it has ended the goal. */
export const goalClosing = (action: 'complete' | 'blocked'): string =>
  action === 'complete'
    ? '<goal_complete>\nThe goal is marked complete. Write one closing message that says what was reached and how it was verified. Use no more tools.\n</goal_complete>'
    : '<goal_blocked>\nThe goal is reported as blocked. Write one closing message that says what is missing and what a person has to do. Use no more tools.\n</goal_blocked>';
