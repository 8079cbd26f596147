import { expect, test } from 'vitest';
import { changeGoal, isChanged, type GoalRequest } from './change-goal.ts';
import { describeGoal, readGoalCommand } from './goal-command.ts';
import { NO_GOAL, viewGoal, type GoalId, type GoalState } from './goal.ts';

const id = 'goal-00000000-0000-4000-8000-000000000001' as GoalId;
const after = (state: GoalState, request: GoalRequest): GoalState => {
  const result = changeGoal(state, request, { now: 1, newId: id });
  if (!isChanged(result)) throw new Error(result.message);
  return result.state;
};
const active = after(NO_GOAL, { operation: 'create', objective: 'ship it', maxGoalRounds: 3 });
const complete = after(active, { operation: 'complete', ref: { id, revision: 1 } });
const blocked = after(active, {
  operation: 'block',
  ref: { id, revision: 1 },
  reason: { code: 'round-limit', message: 'all used' },
});
const change = (request: object) => ({ kind: 'change', request });

test.each([
  ['nothing shows it', NO_GOAL, '', { kind: 'show' }],
  ['spaces show it', active, '  ', { kind: 'show' }],
  ['status, in any case', active, ' Status ', { kind: 'show' }],
  ['pause', active, ' PAUSE', change({ operation: 'pause', ref: { id, revision: 1 } })],
  ['resume', blocked, ' resume', change({ operation: 'resume', ref: { id, revision: 2 } })],
  ['clear', active, ' clear\n', change({ operation: 'clear', ref: { id, revision: 1 } })],
  ['edit', active, ' edit ship\nall', change({ operation: 'edit', ref: { id, revision: 1 }, objective: 'ship\nall' })],
  ['edit of a complete goal sets one', complete, ' Edit more', change({ operation: 'create', objective: 'more' })],
  ['bare edit', active, ' edit ', { code: 'GOAL_INVALID_EDIT' }],
  ['edit of none', NO_GOAL, ' edit more', { code: 'GOAL_NOT_FOUND' }],
  ['pause of none', NO_GOAL, ' pause', { code: 'GOAL_NOT_FOUND' }],
  ['anything else', NO_GOAL, ' pause the music', change({ operation: 'create', objective: 'pause the music' })],
  ['over one that runs', active, ' another', change({ operation: 'create', objective: 'another' })],
])('/goal: %s', (_what, state, input, expected) => {
  expect(readGoalCommand(state, input)).toMatchObject(expected);
});

test('a second goal over one that is not complete is an error, no replacement', () => {
  const wish = readGoalCommand(active, ' another');
  if (!('request' in wish)) throw new Error('no change');
  expect(changeGoal(active, wish.request, { now: 2, newId: id })).toMatchObject({ code: 'GOAL_ALREADY_EXISTS' });
});

test.each([
  [NO_GOAL, 'no goal; /goal <objective> sets one'],
  [active, 'goal active, round 0/3: ship it'],
  [{ ...active, activation: 'disarmed' as const }, 'goal active, round 0/3; /goal resume lets rounds go on: ship it'],
  [blocked, 'goal blocked (round-limit: all used), round 0/3: ship it'],
])('a goal for a person', (state, line) => {
  expect(describeGoal(viewGoal(state))).toBe(line);
});
