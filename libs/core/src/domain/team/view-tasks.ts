import type { SessionId } from '../ids.ts';
import { isReady } from './task-checks.ts';
import { teamError, type TeamError } from './team-error.ts';
import { requireMember } from './roster.ts';
import type { TeamTask } from './team-events.ts';
import { nameOf, type Team } from './team.ts';
import { overlaps } from './write-scopes.ts';

/** A task as members see it. */
export interface TaskView extends Omit<TeamTask, 'ownerId'> {
  ownerName?: string;
  /** Whether it can be claimed. */
  ready: boolean;
  /** Which files others are at work on, too; nobody is kept from them. */
  writeScopeWarnings: string[];
}

/** A task with what it means for whoever looks at it. */
export function viewTask(team: Team, { ownerId, ...task }: TeamTask): TaskView {
  const others = team.tasks.filter(({ id, status }) => id !== task.id && status === 'in_progress');
  return {
    ...task,
    ...(ownerId !== undefined && { ownerName: nameOf(team, ownerId) ?? ownerId }),
    ready: isReady(team, { ...task, ...(ownerId !== undefined && { ownerId }) }),
    writeScopeWarnings: task.writeScopes.flatMap((scope) =>
      others.flatMap((other) =>
        other.writeScopes
          .filter((theirs) => overlaps(scope, theirs))
          .map((theirs) => `${scope}: ${other.id} (${nameOf(team, other.ownerId ?? team.id)}) is at work on ${theirs}`),
      ),
    ),
  };
}

/** One task, also a deleted one. */
export function getTask(team: Team, caller: SessionId, taskId: string): TaskView | TeamError {
  const refused = requireMember(team, caller);
  if (refused) return refused;
  const task = team.tasks.find(({ id }) => id === taskId);
  return task ? viewTask(team, task) : teamError('TEAM_TASK_NOT_FOUND', `there is no task "${taskId}"`);
}

/** Which tasks to show. */
export interface TaskFilter {
  status?: 'pending' | 'in_progress' | 'completed';
  /** A name, or `unowned`. */
  owner?: string;
  ready?: boolean;
  cursor?: number;
  limit?: number;
}

/** One page of the board; deleted tasks are on none. */
export function listTasks(
  team: Team,
  caller: SessionId,
  { status, owner, ready, cursor = 0, limit = 50 }: TaskFilter,
): { tasks: TaskView[]; nextCursor?: number } | TeamError {
  const refused = requireMember(team, caller);
  if (refused) return refused;
  if (!Number.isSafeInteger(cursor) || cursor < 0)
    return teamError('TEAM_INVALID_ARGUMENT', 'cursor: a whole number from 0');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 100)
    return teamError('TEAM_INVALID_ARGUMENT', 'limit: a whole number from 1 to 100');
  const found = team.tasks
    .filter((task) => task.status !== 'deleted' && (status === undefined || task.status === status))
    .map((task) => viewTask(team, task))
    .filter((task) => owner === undefined || (task.ownerName ?? 'unowned') === owner)
    .filter((task) => ready === undefined || task.ready === ready);
  const end = cursor + limit;
  return { tasks: found.slice(cursor, end), ...(end < found.length && { nextCursor: end }) };
}
