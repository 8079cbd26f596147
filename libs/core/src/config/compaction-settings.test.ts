import { expect, test } from 'vitest';
import { CompactionSettings } from './compaction-settings.ts';

const route = { provider: 'p', model: 'm' };

test('a policy of all models and of one is taken as it is', () => {
  const settings = { thresholdRatio: 0.1, retainTokens: 500, modelPolicies: [{ ...route, auto: false }] };
  expect(CompactionSettings.parse(settings)).toEqual(settings);
});

test.each([
  [{ thresholdRatio: 0.1 }, 'must be below thresholdRatio'],
  [{ retainRatio: 0.1, retainTokens: 9 }, 'not both'],
  [{ modelPolicies: [{ ...route, retainRatio: 0.9 }] }, 'must be below thresholdRatio'],
  [{ retainTokens: 9, modelPolicies: [{ ...route, retainRatio: 0.9 }] }, 'must be below thresholdRatio'],
  [{ thresholdRatio: 1 }, 'thresholdRatio'],
  [{ treshold: 1 }, 'treshold'],
])('%j is refused', (settings, why) => {
  const parsed = CompactionSettings.safeParse(settings);
  expect(parsed.success ? '' : parsed.error.message).toContain(why);
});
