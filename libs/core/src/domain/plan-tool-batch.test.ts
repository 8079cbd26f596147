import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planToolBatch } from './plan-tool-batch.ts';
import type { PlannedCall } from './plan-tool-batch.ts';

const p = (state: PlannedCall['state']): PlannedCall => ({ concurrency: 'parallel', state });
const x = (state: PlannedCall['state']): PlannedCall => ({ concurrency: 'exclusive', state });

describe('planToolBatch', () => {
  test.each([
    ['fills the pool', [p('running'), p('waiting'), p('waiting')], { start: [1], commit: [], abandon: [] }],
    [
      'counts only bodies in flight',
      [p('running'), p('finished'), p('waiting')],
      { start: [2], commit: [], abandon: [] },
    ],
    [
      'commits the finished prefix only',
      [p('committed'), p('finished'), p('running'), p('finished')],
      { start: [], commit: [1], abandon: [] },
    ],
    [
      'a barrier waits until all before it has committed',
      [p('finished'), x('waiting'), p('waiting')],
      { start: [], commit: [0], abandon: [] },
    ],
    ['a barrier starts alone', [p('committed'), x('waiting'), p('waiting')], { start: [1], commit: [], abandon: [] }],
    ['nothing passes a barrier', [x('finished'), p('waiting')], { start: [], commit: [0], abandon: [] }],
    ['is done', [p('committed'), x('committed')], { start: [], commit: [], abandon: [] }],
    ['an empty batch is done', [], { start: [], commit: [], abandon: [] }],
  ])('%s', (_what, calls, plan) => {
    expect(planToolBatch({ calls, maxParallel: 2 })).toEqual(plan);
  });

  test('stopping drains the started and then answers the rest', () => {
    const stop = (...calls: PlannedCall[]) => planToolBatch({ calls, maxParallel: 9, mode: 'stopping' });
    expect(stop(p('running'), p('waiting'))).toEqual({ start: [], commit: [], abandon: [] });
    expect(stop(p('finished'), p('waiting'))).toEqual({ start: [], commit: [0], abandon: [] });
    expect(stop(p('committed'), x('waiting'), p('waiting'))).toEqual({ start: [], commit: [], abandon: [1, 2] });
  });

  test('whatever the order of finishing, a batch ends, in order, within its bounds', () => {
    const classes = fc.array(fc.constantFrom('parallel' as const, 'exclusive' as const), { maxLength: 12 });
    fc.assert(
      fc.property(
        classes,
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat()),
        (kinds, maxParallel, choices) => {
          const calls: PlannedCall[] = kinds.map((concurrency) => ({ concurrency, state: 'waiting' }));
          const committed: number[] = [];
          while (committed.length < calls.length) {
            const plan = planToolBatch({ calls, maxParallel });
            for (const index of plan.start) set(calls, index, 'running');
            for (const index of plan.commit) {
              set(calls, index, 'committed');
              committed.push(index);
            }
            const running = calls.flatMap((call, index) => (call.state === 'running' ? [index] : []));
            expect(running.length).toBeLessThanOrEqual(maxParallel);
            const exclusive = running.filter((index) => calls[index]?.concurrency === 'exclusive');
            expect(exclusive.length === 0 || running.length === 1).toBe(true);
            if (running.length > 0) set(calls, running[choices.next().value % running.length] as number, 'finished');
            else expect(plan.start.length + plan.commit.length).toBeGreaterThan(0);
          }
          expect(committed).toEqual(calls.map((_call, index) => index));
        },
      ),
    );
  });
});

function set(calls: PlannedCall[], index: number, state: PlannedCall['state']): void {
  calls[index] = { ...(calls[index] as PlannedCall), state };
}
