import { teamError, type TeamError } from './team-error.ts';
import type { TeamTask } from './team-events.ts';
import type { Team } from './team.ts';

/** Whether a task can be begun: nobody has it, and whatever it waits for is done. */
export function isReady({ tasks }: Team, { status, blockedBy }: TeamTask): boolean {
  return status === 'pending' && blockedBy.every((id) => tasks.find((task) => task.id === id)?.status === 'completed');
}

/** What is wrong with the words of a task, if anything is; what is left out is not judged. */
export function checkText(texts: {
  subject?: string | undefined;
  description?: string | undefined;
}): TeamError | undefined {
  const { subject, description } = texts;
  if (subject !== undefined && (subject.trim() === '' || subject.trim().length > 200))
    return teamError('TEAM_INVALID_ARGUMENT', 'subject: a title, at most 200 characters');
  if (description !== undefined && (description.trim() === '' || description.length > 16_384))
    return teamError('TEAM_INVALID_ARGUMENT', 'description: what is to be done, at most 16384 characters');
  return undefined;
}

/** What is wrong with the tasks one would wait for, if anything is. */
export function checkBlockers({ tasks }: Team, task: string, blockedBy: readonly string[]): TeamError | undefined {
  if (new Set(blockedBy).size !== blockedBy.length)
    return teamError('TEAM_INVALID_ARGUMENT', 'blocked_by: each task once');
  const byId = new Map(tasks.map((each) => [each.id, each]));
  if (blockedBy.includes(task)) return cycle(task, task);
  for (const id of blockedBy) {
    const status = byId.get(id)?.status;
    if (status === undefined || status === 'deleted')
      return teamError('TEAM_TASK_NOT_FOUND', `blocked_by: there is no task "${id}"`);
  }
  const seen = new Set<string>();
  const waiting = [...blockedBy];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === task) return cycle(task, blockedBy.join(', '));
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...(byId.get(id)?.blockedBy ?? []));
  }
  return undefined;
}

const cycle = (task: string, blocker: string): TeamError =>
  teamError('TEAM_TASK_DEPENDENCY_CYCLE', `blocked_by: ${task} would wait for itself by way of ${blocker}`);
