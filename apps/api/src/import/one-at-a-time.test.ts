import { expect, test } from 'vitest';
import { inSlices } from './in-slices.ts';
import { OneAtATime } from './one-at-a-time.ts';

test('one is worked on, some wait for it in order, more are sent away, and a failure holds nobody up', async () => {
  const line = new OneAtATime(2);
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = line.run(async () => {
    told.push('first begins');
    await gate.promise;
    told.push('first ends');
    throw new Error('it is no archive');
  });
  const second = line.run(async () => told.push('second'));
  const third = line.run(async () => told.push('third'));
  await expect(line.run(async () => told.push('fourth'))).rejects.toMatchObject({
    code: 'IMPORT_BUSY',
    status: 429,
    retryAfter: 5,
  });
  gate.resolve();
  await expect(first).rejects.toThrow('no archive');
  await Promise.all([second, third]);
  await line.run(async () => told.push('fifth'));
  expect(told).toEqual(['first begins', 'first ends', 'second', 'third', 'fifth']);
});

test('long work lets others have their turn between its slices', async () => {
  let turns = 0;
  let going = true;
  const other = (): void => {
    turns += 1;
    if (going) setImmediate(other);
  };
  setImmediate(other);
  const steps = function* (): Generator<undefined, number> {
    for (let n = 0; n < 10; n += 1) yield;
    return turns;
  };
  expect(await inSlices(steps())).toBeGreaterThanOrEqual(9);
  going = false;
});
