import { expect, test } from 'vitest';
import { inSlices } from './in-slices.ts';
import { MOST_WAITING, OneAtATime } from './one-at-a-time.ts';

test('one is worked on, some wait for it in order, more are sent away, and a failure holds nobody up', async () => {
  const line = new OneAtATime();
  const come = () => {
    const place = line.enter();
    return <T>(work: () => Promise<T>) => place.run(work).finally(place.leave);
  };
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = come()(async () => {
    told.push('first begins');
    await gate.promise;
    told.push('first ends');
    throw new Error('it is no archive');
  });
  const second = come()(async () => told.push('second'));
  const third = come()(async () => told.push('third'));
  // They are sent what they bring.
  const late = [line.enter(), line.enter()];
  expect(come).toThrow(expect.objectContaining({ code: 'IMPORT_BUSY', status: 429, retryAfter: 5 }));
  for (const { leave } of late) leave();
  gate.resolve();
  await expect(first).rejects.toThrow('no archive');
  await Promise.all([second, third]);
  await come()(async () => told.push('fifth'));
  expect(told).toEqual(['first begins', 'first ends', 'second', 'third', 'fifth']);
});

test('who went away while theirs is worked on still fills a place, and who sends nothing none once they are gone', async () => {
  const line = new OneAtATime();
  const gate = Promise.withResolvers<void>();
  const places = Array.from({ length: MOST_WAITING + 1 }, () => line.enter());
  const [first, ...others] = places;
  const work = first?.run(() => gate.promise);
  first?.leave();
  expect(() => line.enter()).toThrow('others are imported');
  for (const { leave } of others) leave();
  for (let n = 0; n < MOST_WAITING; n += 1) line.enter();
  expect(() => line.enter()).toThrow('others are imported');
  gate.resolve();
  await work;
  line.enter();
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
