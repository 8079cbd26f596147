import { describe, expect, test } from 'vitest';
import type { MessageSource } from '../messages.ts';
import { changeGoal, isChanged } from './change-goal.ts';
import { NO_GOAL, type GoalId, type GoalState } from './goal.ts';
import { isGoalError } from './goal-error.ts';
import { goalAuthority, readToolRequest, type GoalAuthority, type GoalToolRequest } from './goal-tools.ts';

const id = 'goal-11111111-1111-4111-8111-111111111111' as GoalId;
const made = changeGoal(
  NO_GOAL,
  { operation: 'create', objective: 'ship it', maxGoalRounds: 5 },
  { now: 5, newId: id },
);
if (!isChanged(made)) throw new Error(made.message);
const created = made.state;

describe('what a model may do', () => {
  const inRound = (roundsStarted: number): GoalState => ({ ...created, record: { ...created.record!, roundsStarted } });
  const round = (number: number, revision = 1): GoalAuthority => ({
    kind: 'round',
    source: { kind: 'goal', goalId: id, revision, round: number },
  });
  const update = (
    action: 'edit' | 'pause' | 'resume' | 'complete' | 'blocked',
    more: object = {},
  ): GoalToolRequest & { tool: 'update' } => ({
    tool: 'update',
    id,
    revision: 1,
    action,
    ...(action === 'blocked' && { blockedReason: 'no key' }),
    ...(action === 'edit' && { objective: 'o' }),
    ...more,
  });
  const verdict = (state: GoalState, request: Exclude<GoalToolRequest, { tool: 'get' }>, authority: GoalAuthority) => {
    const result = readToolRequest(state, request, authority);
    return isGoalError(result) ? result.code.replace('GOAL_TOOL_', '') : result.operation;
  };
  const person: GoalAuthority = { kind: 'person' };

  test.each<[string, GoalState, Exclude<GoalToolRequest, { tool: 'get' }>, GoalAuthority, string]>([
    ['a person creates', NO_GOAL, { tool: 'create', objective: 'o' }, person, 'create'],
    ['a round creates', created, { tool: 'create', objective: 'o' }, round(1), 'AUTHORITY_REQUIRED'],
    ['a machine creates', NO_GOAL, { tool: 'create', objective: 'o' }, { kind: 'none' }, 'AUTHORITY_REQUIRED'],
    ['a person blocks at once', created, update('blocked'), person, 'block'],
    ['a person edits', created, update('edit'), person, 'edit'],
    ['a round completes', inRound(1), update('complete'), round(1), 'complete'],
    ['an older round completes', inRound(2), update('complete'), round(1), 'AUTHORITY_REQUIRED'],
    ['a round of another revision completes', inRound(1), update('complete'), round(1, 2), 'AUTHORITY_REQUIRED'],
    ['round 2 gives up', inRound(2), update('blocked'), round(2), 'BLOCK_THRESHOLD'],
    ['round 3 gives up', inRound(3), update('blocked'), round(3), 'block'],
    ['a round pauses', inRound(1), update('pause'), round(1), 'AUTHORITY_REQUIRED'],
    ['a machine completes', inRound(1), update('complete'), { kind: 'none' }, 'AUTHORITY_REQUIRED'],
    [
      'nobody whose turn runs creates',
      NO_GOAL,
      { tool: 'create', objective: 'o' },
      { kind: 'no-turn' },
      'DRIVER_REQUIRED',
    ],
    ['nobody whose turn runs completes', created, update('complete'), { kind: 'no-turn' }, 'DRIVER_REQUIRED'],
    ['an objective to pause', created, update('pause', { objective: 'o' }), person, 'INVALID_UPDATE'],
    ['rounds to complete', created, update('complete', { maxGoalRounds: 1 }), person, 'INVALID_UPDATE'],
    ['a reason to edit', created, update('edit', { blockedReason: 'r' }), person, 'INVALID_UPDATE'],
    ['no reason to block', created, { tool: 'update', id, revision: 1, action: 'blocked' }, person, 'INVALID_UPDATE'],
    ['a goal nobody knows', created, update('pause', { id: 'goal-1' }), person, 'GOAL_STALE_REVISION'],
  ])('%s', (_name, state, request, authority, expected) => {
    expect(verdict(state, request, authority)).toBe(expected);
  });
});

test.each<[string, MessageSource | undefined, object, GoalAuthority['kind']]>([
  ['a person', { kind: 'user' }, {}, 'person'],
  ['a round', { kind: 'goal', goalId: id, revision: 1, round: 1 }, {}, 'round'],
  [
    'a round that a person has written to',
    { kind: 'goal', goalId: id, revision: 1, round: 1 },
    { spoken: true },
    'person',
  ],
  ['a reminder', { kind: 'plugin', plugin: 'schedule' }, {}, 'none'],
  ['a reminder that a person has written to', { kind: 'plugin', plugin: 'schedule' }, { spoken: true }, 'person'],
  ['another agent', { kind: 'agent-message', form: 'relay', senderSessionId: 's' }, {}, 'none'],
  ['nobody', undefined, { spoken: true }, 'no-turn'],
  ['a person, in an agent of another', { kind: 'user' }, { spoken: true, owned: true }, 'none'],
])('a turn for %s', (_who, source, more, kind) => {
  expect(goalAuthority({ source, spoken: false, owned: false, ...more }).kind).toBe(kind);
});
