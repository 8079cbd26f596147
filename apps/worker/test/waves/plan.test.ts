import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planWave, WAVE_SIZE } from './plan.ts';
import { Random } from './random.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test('a seed is all there is to a wave', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const plan = planWave(seed);
      expect(planWave(seed)).toEqual(plan);
      expect(planWave(seed + 1).sessions).not.toEqual(plan.sessions);
      expect(plan.sessions).toHaveLength(WAVE_SIZE);
      expect(new Set(plan.sessions.map(({ name }) => name)).size).toBe(WAVE_SIZE);
      expect(plan.strikes.map(({ victim }) => victim)).toEqual(expect.arrayContaining(['worker', 'postgres']));
    }),
    { numRuns: 50 },
  );
});

test('in a few waves everything that can go wrong does', () => {
  const plans = Array.from({ length: 10 }, (_, seed) => planWave(seed));
  const sessions = plans.flatMap((plan) => plan.sessions);
  const answers = sessions.flatMap((session) => session.answers);
  const kinds = (values: string[]) => [...new Set(values)].toSorted();
  expect(kinds(plans.flatMap(({ strikes }) => strikes.map(({ victim }) => victim)))).toEqual([
    'api',
    'postgres',
    'temporal',
    'worker',
  ]);
  expect(kinds(sessions.flatMap(({ actions }) => actions.map(({ kind }) => kind)))).toEqual([
    'cancel',
    'inject',
    'interrupt',
    'prompt',
    'steer',
  ]);
  expect(kinds(sessions.map(({ isolation, policy }) => `${isolation} ${policy}`))).toHaveLength(4);
  const faults = answers.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  expect(kinds(faults.map((fault) => (typeof fault === 'string' ? fault : fault.kind)))).toEqual([
    'cut',
    'error-frame',
    'garbage',
    'html',
    'no-done',
    'no-finish',
    'no-usage',
    'split-utf8',
    'stall',
    'status',
  ]);
  const calls = answers.flatMap((answer) => answer.calls);
  expect(kinds(calls.map(({ tool }) => tool))).toHaveLength(6);
  expect(kinds(calls.map(({ approval }) => approval))).toEqual(['allow', 'deny', 'none']);
});

test('numbers stay within their bounds and are spread over them', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const random = new Random(seed);
      const drawn = Array.from({ length: 200 }, () => random.whole(3, 7));
      expect([...new Set(drawn)].toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6, 7]);
    }),
  );
});

test('weights decide, and none means never', () => {
  const random = new Random(1);
  const drawn = Array.from({ length: 4_000 }, () => random.weighted({ often: 3, rarely: 1, never: 0 }));
  const share = drawn.filter((name) => name === 'often').length / drawn.length;
  expect(share).toBeCloseTo(0.75, 1);
  expect(drawn).not.toContain('never');
});
