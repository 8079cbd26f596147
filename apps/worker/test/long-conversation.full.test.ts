import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectLongConversation } from './support/expect-long-conversation.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
// Comparing each request with the whole log would be most of what is measured.
beforeAll(async () => void (stack = await startStack({ worker: { EVERTURN_CHECK_REQUESTS: 'off' } })));
afterAll(() => stack?.stop());

test('500 steps with results of 50 KB in a window of 128,000 tokens, the last as cheap as the first', async () => {
  const events = await expectLongConversation(stack, { steps: 500, size: 49_900, window: 128_000 });
  const starts = events.flatMap(({ type, time }) => (type === 'step/start' ? [time] : []));
  const took = (from: number, to: number) => {
    const steps = starts.slice(from, to).map((time, n) => time - (starts[from + n - 1] ?? time));
    return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  };
  expect(took(400, 500)).toBeLessThan(2 * took(50, 150));
});
