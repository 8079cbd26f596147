import type { SessionId } from '../ids.ts';
import { isTeamError, teamError, type TeamError } from './team-error.ts';
import { requireMember } from './roster.ts';
import { checkBlockers, checkText, isReady } from './task-checks.ts';
import type { TeamFact, TeamTask } from './team-events.ts';
import { memberCalled, nameOf, type Team, type TeamLimits } from './team.ts';
import { normaliseScopes } from './write-scopes.ts';

/** A task that somebody would like to have on the board. */
export interface NewTask {
  subject: string;
  description: string;
  blockedBy?: readonly string[];
  writeScopes?: readonly string[];
}

/** What may be done to a task. */
export const TASK_ACTIONS = [
  'claim',
  'release',
  'edit',
  'set_dependencies',
  'complete',
  'reopen',
  'reassign',
  'delete',
] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

/** A change of one task, from the revision that was read. */
export interface TaskChange extends Partial<NewTask> {
  taskId: string;
  expectedRevision: number;
  action: TaskAction;
  /** The name of whoever is to have it. */
  owner?: string;
}

/** The event that says how a task stands. */
export const taskFact = (team: Team, task: TeamTask): TeamFact => ({
  type: 'team/task',
  data: { version: 1, teamId: team.id, task },
});

/** A new task for the board: nobody's, and not begun. */
export function createTask(
  team: Team,
  caller: SessionId,
  { subject, description, blockedBy = [], writeScopes = [] }: NewTask,
  { maxTasks }: Pick<TeamLimits, 'maxTasks'>,
): TeamTask | TeamError {
  const refused = requireMember(team, caller) ?? checkText({ subject, description });
  if (refused) return refused;
  const scopes = normaliseScopes(writeScopes);
  if (isTeamError(scopes)) return scopes;
  const id = `task-${team.tasks.length + 1}`;
  const blocked = checkBlockers(team, id, blockedBy);
  if (blocked) return blocked;
  if (team.tasks.filter(({ status }) => status !== 'deleted').length >= maxTasks)
    return teamError('TEAM_TASK_LIMIT', `a board has at most ${maxTasks} tasks: delete one that is no longer needed`);
  return {
    id,
    revision: 1,
    subject: subject.trim(),
    description,
    status: 'pending',
    blockedBy: [...blockedBy],
    writeScopes: scopes,
  };
}

/** The task as a change would leave it, or why there can be no such change. */
export function changeTask(team: Team, caller: SessionId, change: TaskChange): TeamTask | TeamError {
  const outsider = requireMember(team, caller);
  if (outsider) return outsider;
  const { taskId, expectedRevision } = change;
  const task = team.tasks.find(({ id }) => id === taskId);
  if (!task) return teamError('TEAM_TASK_NOT_FOUND', `there is no task "${taskId}"`);
  if (task.revision !== expectedRevision)
    return teamError(
      'TEAM_TASK_STALE_REVISION',
      `${taskId} has revision ${task.revision}, not ${expectedRevision}: read it again before you change it`,
    );
  if (task.status === 'deleted') return teamError('TEAM_TASK_DELETED', `${taskId} is deleted`);
  const next = act({ team, caller, task, change });
  return isTeamError(next) ? next : { ...next, revision: task.revision + 1 };
}

interface Acting {
  team: Team;
  caller: SessionId;
  task: TeamTask;
  change: TaskChange;
}

function act(acting: Acting): TeamTask | TeamError {
  const { team, task, change } = acting;
  if (change.action === 'claim') return claim(acting);
  if (change.action === 'reassign') return reassign(acting);
  const refused = requireOwner(acting);
  if (refused) return refused;
  switch (change.action) {
    case 'release':
      return task.status === 'in_progress' ? unowned(task) : wrongState(acting);
    case 'complete':
      return task.status === 'in_progress' ? { ...task, status: 'completed' } : wrongState(acting);
    case 'reopen':
      return task.status === 'completed' ? unowned(task) : wrongState(acting);
    case 'edit':
      return edit(task, change);
    case 'set_dependencies': {
      const { blockedBy } = change;
      if (!blockedBy) return teamError('TEAM_INVALID_ARGUMENT', 'blocked_by: set_dependencies needs the whole list');
      return checkBlockers(team, task.id, blockedBy) ?? { ...task, blockedBy: [...blockedBy] };
    }
    case 'delete': {
      const waiting = team.tasks.filter(({ status, blockedBy }) => status !== 'deleted' && blockedBy.includes(task.id));
      if (waiting.length === 0) return { ...task, status: 'deleted' };
      const ids = waiting.map(({ id }) => id).join(', ');
      return teamError('TEAM_TASK_HAS_DEPENDENTS', `${task.id} blocks ${ids}: change what they wait for first`);
    }
  }
}

function claim({ team, caller, task }: Acting): TeamTask | TeamError {
  if (task.ownerId !== undefined && task.ownerId !== caller)
    return teamError('TEAM_TASK_ALREADY_CLAIMED', `${task.id} is ${nameOf(team, task.ownerId)}'s: take another one`);
  if (isReady(team, task)) return { ...task, status: 'in_progress', ownerId: caller };
  return teamError(
    'TEAM_TASK_BLOCKED',
    task.status === 'pending'
      ? `${task.id} waits for ${task.blockedBy.join(', ')}`
      : `${task.id} is ${task.status}; only a pending task can be claimed`,
  );
}

function reassign(acting: Acting): TeamTask | TeamError {
  const { team, caller, task, change } = acting;
  if (caller !== team.id) return teamError('TEAM_LEAD_REQUIRED', 'only the lead of the team may reassign a task');
  if (task.status !== 'pending' && task.status !== 'in_progress') return wrongState(acting);
  const owner = change.owner?.trim() ?? '';
  if (owner === '') return unowned(task);
  if (!isReady(team, { ...task, status: 'pending' }))
    return teamError('TEAM_TASK_BLOCKED', `${task.id} waits for ${task.blockedBy.join(', ')}`);
  const member = memberCalled(team, owner);
  if (!member) return teamError('TEAM_MEMBER_NOT_FOUND', `owner: nobody in the team is called "${owner}"`);
  if (member.phase !== 'active')
    return teamError('TEAM_INVALID_TARGET', `owner: "${owner}" is ${member.phase}, so it cannot work on a task`);
  return { ...task, status: 'in_progress', ownerId: member.id };
}

function edit(task: TeamTask, { subject, description, writeScopes }: TaskChange): TeamTask | TeamError {
  if (subject === undefined && description === undefined && writeScopes === undefined)
    return teamError('TEAM_INVALID_ARGUMENT', 'edit needs subject, description or write_scopes');
  const refused = checkText({ subject, description });
  if (refused) return refused;
  const scopes = normaliseScopes(writeScopes ?? task.writeScopes);
  if (isTeamError(scopes)) return scopes;
  return {
    ...task,
    subject: subject?.trim() ?? task.subject,
    description: description ?? task.description,
    writeScopes: scopes,
  };
}

function requireOwner({ team, caller, task }: Acting): TeamError | undefined {
  if (caller === team.id || caller === task.ownerId) return undefined;
  return teamError('TEAM_TASK_UNAUTHORIZED', `only the lead, and whoever ${task.id} belongs to, may do this to it`);
}

function unowned({ ownerId: _, ...task }: TeamTask): TeamTask {
  return { ...task, status: 'pending' };
}

const wrongState = ({ task, change }: Acting): TeamError =>
  teamError('TEAM_TASK_INVALID_TRANSITION', `${task.id} is ${task.status}, so nobody can ${change.action} it`);
