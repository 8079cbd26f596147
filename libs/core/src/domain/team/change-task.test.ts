import { describe, expect, test } from 'vitest';
import { changeTask, createTask, type TaskAction, type TaskChange } from './change-task.ts';
import { isTeamError } from './team-error.ts';
import type { TeamTask } from './team-events.ts';
import { LIMITS, member, sid, task, teamOf } from './test-team.ts';

const ada = sid('sub-ada');
const lead = sid('lead-session');
const owned = (status: TeamTask['status'], change: Partial<TeamTask> = {}) =>
  task(1, { status, ownerId: ada, ...change });
const members = [
  member('ada'),
  member('bob'),
  member('new', { phase: 'provisioning' }),
  member('bad', { phase: 'failed' }),
];

/** Who, does what, to what, which stood so, and what comes of it; with what arguments, beside which other tasks. */
type Row = [
  by: keyof typeof CALLERS,
  action: TaskAction,
  what: string,
  from: TeamTask,
  gives: string | Partial<TeamTask>,
  wish?: Partial<TaskChange>,
  others?: TeamTask[],
];
const CALLERS = { ada, bob: sid('sub-bob'), lead, stranger: sid('sub-stranger') };

function outcome([by, action, , from, , wish, others = []]: Row) {
  const team = teamOf({ members, tasks: [from, ...others] });
  const next = changeTask(team, CALLERS[by], { taskId: 'task-1', expectedRevision: 1, action, ...wish });
  return isTeamError(next) ? next.code : next;
}

const free = task(1);
const after2 = task(1, { blockedBy: ['task-2'] });
const done2 = task(2, { status: 'completed' });
const pending = { ...free, revision: 2 };

const rows: Row[] = [
  ['ada', 'claim', 'a pending task', free, { ...pending, status: 'in_progress', ownerId: ada }],
  ['ada', 'claim', 'a task whose blocker is done', after2, { status: 'in_progress' }, {}, [done2]],
  ['ada', 'claim', 'a task whose blocker is not done', after2, 'TEAM_TASK_BLOCKED', {}, [task(2)]],
  ['bob', 'claim', 'a task of another', owned('in_progress'), 'TEAM_TASK_ALREADY_CLAIMED'],
  ['bob', 'claim', 'a finished task of another', owned('completed'), 'TEAM_TASK_ALREADY_CLAIMED'],
  ['ada', 'claim', 'its own task again', owned('in_progress'), 'TEAM_TASK_BLOCKED'],
  ['lead', 'claim', 'as lead', free, { status: 'in_progress', ownerId: lead }],
  ['stranger', 'claim', 'from outside', free, 'TEAM_NOT_MEMBER'],
  ['ada', 'release', 'its own', owned('in_progress'), pending],
  ['lead', 'release', "another's, as lead", owned('in_progress'), pending],
  ['bob', 'release', "another's", owned('in_progress'), 'TEAM_TASK_UNAUTHORIZED'],
  ['ada', 'release', "nobody's", free, 'TEAM_TASK_UNAUTHORIZED'],
  ['lead', 'release', "nobody's, as lead", free, 'TEAM_TASK_INVALID_TRANSITION'],
  ['ada', 'release', 'a finished one', owned('completed'), 'TEAM_TASK_INVALID_TRANSITION'],
  ['ada', 'complete', 'its own', owned('in_progress'), { ...owned('completed'), revision: 2 }],
  ['lead', 'complete', "another's, as lead", owned('in_progress'), { ownerId: ada }],
  ['bob', 'complete', "another's", owned('in_progress'), 'TEAM_TASK_UNAUTHORIZED'],
  ['lead', 'complete', 'a pending one', free, 'TEAM_TASK_INVALID_TRANSITION'],
  ['ada', 'complete', 'a finished one', owned('completed'), 'TEAM_TASK_INVALID_TRANSITION'],
  ['ada', 'reopen', 'its own', owned('completed'), pending],
  ['bob', 'reopen', "another's", owned('completed'), 'TEAM_TASK_UNAUTHORIZED'],
  ['ada', 'reopen', 'one that is not finished', owned('in_progress'), 'TEAM_TASK_INVALID_TRANSITION'],
  ['ada', 'edit', 'its subject', owned('in_progress'), { subject: 'new', revision: 2 }, { subject: ' new ' }],
  ['ada', 'edit', 'its description', owned('in_progress'), { description: 'other' }, { description: 'other' }],
  ['ada', 'edit', 'its scopes', owned('in_progress'), { writeScopes: ['src'] }, { writeScopes: ['.\\src\\', 'src'] }],
  ['ada', 'edit', 'a scope outside', owned('in_progress'), 'TEAM_INVALID_WRITE_SCOPE', { writeScopes: ['a/../b'] }],
  ['ada', 'edit', 'nothing', owned('in_progress'), 'TEAM_INVALID_ARGUMENT'],
  ['ada', 'edit', 'a blank subject', owned('in_progress'), 'TEAM_INVALID_ARGUMENT', { subject: ' ' }],
  ['ada', 'edit', 'a long subject', owned('in_progress'), 'TEAM_INVALID_ARGUMENT', { subject: 'x'.repeat(201) }],
  [
    'ada',
    'edit',
    'a long description',
    owned('in_progress'),
    'TEAM_INVALID_ARGUMENT',
    { description: 'x'.repeat(16_385) },
  ],
  ['bob', 'edit', "nobody's", free, 'TEAM_TASK_UNAUTHORIZED', { subject: 's' }],
  [
    'ada',
    'set_dependencies',
    'of its own',
    owned('in_progress'),
    { blockedBy: ['task-2'] },
    { blockedBy: ['task-2'] },
    [task(2)],
  ],
  ['lead', 'set_dependencies', 'to none', after2, { blockedBy: [] }, { blockedBy: [] }],
  ['lead', 'set_dependencies', 'without a list', free, 'TEAM_INVALID_ARGUMENT'],
  ['lead', 'set_dependencies', 'to itself', free, 'TEAM_TASK_DEPENDENCY_CYCLE', { blockedBy: ['task-1'] }],
  [
    'lead',
    'set_dependencies',
    'in a circle',
    free,
    'TEAM_TASK_DEPENDENCY_CYCLE',
    { blockedBy: ['task-2'] },
    [task(2, { blockedBy: ['task-3'] }), task(3, { blockedBy: ['task-1'] })],
  ],
  [
    'lead',
    'set_dependencies',
    'twice to one',
    free,
    'TEAM_INVALID_ARGUMENT',
    { blockedBy: ['task-2', 'task-2'] },
    [task(2)],
  ],
  ['lead', 'set_dependencies', 'to one that is not', free, 'TEAM_TASK_NOT_FOUND', { blockedBy: ['task-9'] }],
  [
    'lead',
    'set_dependencies',
    'to a deleted one',
    free,
    'TEAM_TASK_NOT_FOUND',
    { blockedBy: ['task-2'] },
    [task(2, { status: 'deleted' })],
  ],
  ['bob', 'set_dependencies', "of another's", owned('in_progress'), 'TEAM_TASK_UNAUTHORIZED', { blockedBy: [] }],
  ['lead', 'reassign', 'to a member', free, { status: 'in_progress', ownerId: sid('sub-bob') }, { owner: 'bob' }],
  ['lead', 'reassign', 'to the lead', owned('in_progress'), { ownerId: lead }, { owner: 'lead' }],
  ['lead', 'reassign', 'to nobody', owned('in_progress'), pending],
  ['lead', 'reassign', 'to a blank name', owned('in_progress'), pending, { owner: ' ' }],
  ['ada', 'reassign', 'as a member', owned('in_progress'), 'TEAM_LEAD_REQUIRED', { owner: 'bob' }],
  ['lead', 'reassign', 'a finished one', owned('completed'), 'TEAM_TASK_INVALID_TRANSITION'],
  ['lead', 'reassign', 'one that waits', after2, 'TEAM_TASK_BLOCKED', { owner: 'bob' }, [task(2)]],
  ['lead', 'reassign', 'to a stranger', free, 'TEAM_MEMBER_NOT_FOUND', { owner: 'eve' }],
  ['lead', 'reassign', 'to one that is being made', free, 'TEAM_INVALID_TARGET', { owner: 'new' }],
  ['lead', 'reassign', 'to one that failed', free, 'TEAM_INVALID_TARGET', { owner: 'bad' }],
  ['ada', 'delete', 'its own', owned('in_progress'), { status: 'deleted', revision: 2 }],
  [
    'lead',
    'delete',
    'one that others wait for',
    free,
    'TEAM_TASK_HAS_DEPENDENTS',
    {},
    [task(2, { blockedBy: ['task-1'] })],
  ],
  [
    'lead',
    'delete',
    'one that a deleted task waited for',
    free,
    { status: 'deleted' },
    {},
    [task(2, { blockedBy: ['task-1'], status: 'deleted' })],
  ],
  ['lead', 'delete', 'a deleted one', task(1, { status: 'deleted' }), 'TEAM_TASK_DELETED'],
  ['bob', 'delete', "another's", owned('in_progress'), 'TEAM_TASK_UNAUTHORIZED'],
  ['ada', 'claim', 'an unknown task', free, 'TEAM_TASK_NOT_FOUND', { taskId: 'task-7' }],
  ['ada', 'claim', 'from an old revision', free, 'TEAM_TASK_STALE_REVISION', { expectedRevision: 2 }],
  [
    'lead',
    'edit',
    'a deleted task from an old revision',
    task(1, { status: 'deleted', revision: 3 }),
    'TEAM_TASK_STALE_REVISION',
  ],
];

test.each(rows)('%s: %s %s', (...row) => {
  const got = outcome(row);
  const gives = row[4];
  if (typeof gives === 'string') expect(got).toBe(gives);
  else expect(got).toMatchObject(gives);
  if (typeof got === 'object') expect(got.revision).toBe(2);
  if (typeof got === 'object' && got.status === 'pending') expect(got).not.toHaveProperty('ownerId');
});

describe('a new task', () => {
  const create = (wish: Partial<Parameters<typeof createTask>[2]>, team = teamOf({ members }), by = ada) => {
    const made = createTask(team, by, { subject: ' Do it ', description: 'all of it', ...wish }, LIMITS);
    return isTeamError(made) ? made.code : made;
  };

  test("is nobody's, pending, and has the next number, deleted ones counted", () => {
    expect(create({ writeScopes: ['./src/'] }, teamOf({ members, tasks: [task(1, { status: 'deleted' })] }))).toEqual({
      id: 'task-2',
      revision: 1,
      subject: 'Do it',
      description: 'all of it',
      status: 'pending',
      blockedBy: [],
      writeScopes: ['src'],
    });
  });

  test('is refused with a code', () => {
    const deleted = teamOf({ members, tasks: [task(1, { status: 'deleted' })] });
    const full = Array.from({ length: 256 }, (_, n) => task(n + 1));
    expect([
      create({ blockedBy: ['task-1'] }, deleted),
      create({ blockedBy: ['task-1', 'task-1'] }),
      create({ subject: '' }),
      create({ description: ' ' }),
      create({ writeScopes: ['/etc'] }),
      create({}, teamOf({ members, tasks: full })),
      typeof create({}, teamOf({ members, tasks: full.with(0, task(1, { status: 'deleted' })) })),
      create({}, undefined, sid('sub-stranger')),
    ]).toEqual([
      'TEAM_TASK_NOT_FOUND',
      'TEAM_INVALID_ARGUMENT',
      'TEAM_INVALID_ARGUMENT',
      'TEAM_INVALID_ARGUMENT',
      'TEAM_INVALID_WRITE_SCOPE',
      'TEAM_TASK_LIMIT',
      'object',
      'TEAM_NOT_MEMBER',
    ]);
  });
});
