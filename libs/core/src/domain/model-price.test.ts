import { expect, test } from 'vitest';
import { costOf, roundedUsd } from './model-price.ts';

test('a call costs what its counters cost, each once', () => {
  const usage = { inputTokens: 1_000, outputTokens: 200, cacheReadTokens: 50_000, reasoningTokens: 150 };
  expect(costOf(usage, { input: 3, output: 15, cacheRead: 0.3 })).toBe(0.021);
  expect(costOf({ inputTokens: 0, outputTokens: 0, cacheWriteTokens: 1_000_000 }, { input: 3, output: 15 })).toBe(3);
  expect(
    costOf({ inputTokens: 0, outputTokens: 0, cacheWriteTokens: 4_000 }, { input: 3, output: 15, cacheWrite: 3.75 }),
  ).toBe(0.015);
  expect(costOf({ inputTokens: 7, outputTokens: 0 }, { input: 0, output: 0 })).toBe(0);
});

test('sums keep no noise', () => {
  expect([0.1 + 0.2, roundedUsd(0.1 + 0.2)]).toEqual([0.30000000000000004, 0.3]);
});
