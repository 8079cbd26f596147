import { expect, test } from 'vitest';
import { approvePlan, openPlan, reviewOf, settlePlan, switchPlan, type PlanMode } from './plan-mode.ts';
import { settleKnobs, turnKnobs } from './step-knobs.ts';

const off: PlanMode = { active: false };
const on: PlanMode = { active: true, told: true };

test.each<[string, PlanMode, boolean, 'idle' | 'busy', ReturnType<typeof switchPlan>]>([
  ['idle: it holds at once', off, true, 'idle', { plan: { active: true }, result: 'committed' }],
  [
    'busy: from the next step on',
    off,
    true,
    'busy',
    { plan: { active: false, next: { active: true, by: 'user' } }, result: 'queued' },
  ],
  [
    'on and off before a step: nothing happens',
    { active: false, told: false, next: { active: true, by: 'user' } },
    false,
    'busy',
    { plan: { active: false, told: false }, result: 'cancelled' },
  ],
  ['already so', on, true, 'busy', { plan: on, result: 'noop' }],
  [
    'already on its way',
    { active: true, next: { active: false, by: 'review' } },
    false,
    'idle',
    { plan: { active: true, next: { active: false, by: 'review' } }, result: 'noop' },
  ],
  [
    'an approved end is taken back',
    { active: true, told: true, next: { active: false, by: 'review' } },
    true,
    'idle',
    { plan: on, result: 'cancelled' },
  ],
])('switched, %s', (_what, plan, wanted, session, expected) => {
  expect(switchPlan(plan, wanted, session)).toEqual(expected);
});

test('a switch is told where the last request said otherwise; an approval the model knows of is silent', () => {
  const switched: PlanMode = { active: false, told: false, next: { active: true, by: 'user' } };
  expect(settlePlan(switched)).toEqual({
    plan: { active: true, told: true },
    changed: true,
    notice: expect.stringMatching(/^The user switched plan mode on/),
  });
  expect(settlePlan(approvePlan(on))).toEqual({ plan: { active: false, told: false }, changed: true });
  expect(settlePlan({ active: false, told: true })).toMatchObject({ changed: false, notice: expect.anything() });
  expect(settlePlan({ active: false, next: { active: true, by: 'user' } })).toEqual({
    plan: { active: true, told: true },
    changed: true,
  });
  expect(settlePlan(on)).toEqual({ plan: on, changed: false });
  expect(approvePlan(off)).toBe(off);
});

test('a session opens as its log says, with what was approved still to come; else as it was created', () => {
  expect(openPlan({ atCreation: false })).toBeUndefined();
  expect(openPlan({ atCreation: true })).toEqual({ active: false, next: { active: true, by: 'user' } });
  expect(openPlan({ atCreation: true, recorded: false, told: false })).toEqual({ active: false, told: false });
  expect(openPlan({ atCreation: false, recorded: true, told: true, approved: true })).toEqual({
    active: true,
    told: true,
    next: { active: false, by: 'review' },
  });
});

const review = 'plan-review';
test.each([
  ['only the approval', [{ id: review, selected: ['Approve'] }], { kind: 'approved' }],
  ['the other option', [{ id: review, selected: ['Keep planning'] }], { kind: 'keep' }],
  ['words', [{ id: review, selected: [], custom: 'tests first' }], { kind: 'keep', feedback: 'tests first' }],
  [
    'words beside the approval',
    [{ id: review, selected: ['Approve'], custom: 'but' }],
    { kind: 'keep', feedback: 'but' },
  ],
  [
    'the answer twice',
    [
      { id: review, selected: ['Approve'] },
      { id: review, selected: ['Approve'] },
    ],
    { kind: 'keep' },
  ],
  ['both options', [{ id: review, selected: ['Approve', 'Keep planning'] }], { kind: 'keep' }],
  ['no answer', [], { kind: 'keep' }],
  ['an answer to something else', [{ id: 'other', selected: ['Approve'] }], { kind: 'keep' }],
])('a review: %s', (_what, answers, expected) => {
  expect(reviewOf(answers)).toEqual(expected);
});

const small = { provider: 'p', model: 'small' };
const big = { provider: 'p', model: 'big' };

test('a model is chosen at once while nothing runs, else for the next step; the same one again changes nothing', () => {
  const idle = turnKnobs({}, { model: big }, 'idle');
  expect(idle).toEqual({
    knobs: { model: { now: big } },
    result: 'committed',
    facts: [{ type: 'model/choice', data: big }],
  });
  expect(turnKnobs(idle.knobs, { model: { ...big } }, 'idle').result).toBe('noop');
  const busy = turnKnobs(idle.knobs, { model: small }, 'busy');
  expect(busy).toEqual({ knobs: { model: { now: big, next: small } }, result: 'queued', facts: [] });
  expect(turnKnobs(busy.knobs, { model: big }, 'busy')).toEqual({
    knobs: { model: { now: big } },
    result: 'cancelled',
    facts: [],
  });
  expect(settleKnobs(busy.knobs)).toEqual({
    knobs: { model: { now: small } },
    facts: [{ type: 'model/choice', data: small }],
    notices: [],
  });
  expect(settleKnobs({ ...idle.knobs, plan: on })).toEqual({
    knobs: { ...idle.knobs, plan: on },
    facts: [],
    notices: [],
  });
});

test('plan mode as a knob writes its event when it changes, and not for a flip before a step', () => {
  expect(turnKnobs({}, { plan: true }, 'idle').facts).toEqual([{ type: 'plan/mode', data: { active: true } }]);
  const queued = turnKnobs({}, { plan: true }, 'busy').knobs;
  expect(settleKnobs(queued).facts).toEqual([{ type: 'plan/mode', data: { active: true } }]);
  expect(settleKnobs(turnKnobs(queued, { plan: false }, 'busy').knobs)).toMatchObject({ facts: [], notices: [] });
});
