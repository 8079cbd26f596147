import { expect, test } from 'vitest';
import type { TenantId } from '@everturn/core/domain';
import { inSlices } from './in-slices.ts';
import { MOST_WAITING, OneAtATime, PATIENCE_MS } from './one-at-a-time.ts';

let tenants = 0;
const visitor = (tenant = `t${(tenants += 1)}`, sendAway: (error: Error) => void = () => {}) => ({
  tenant: tenant as TenantId,
  sendAway,
});

test('one is worked on, some wait for it in order, more are sent away, and a failure holds nobody up', async () => {
  const line = new OneAtATime();
  const come = () => {
    const place = line.enter(visitor());
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
  const late = [line.enter(visitor()), line.enter(visitor())];
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
  const places = Array.from({ length: MOST_WAITING + 1 }, () => line.enter(visitor()));
  const [first, ...others] = places;
  const work = first?.run(() => gate.promise);
  first?.leave();
  expect(() => line.enter(visitor())).toThrow('others are imported');
  for (const { leave } of others) leave();
  for (let n = 0; n < MOST_WAITING; n += 1) line.enter(visitor());
  expect(() => line.enter(visitor())).toThrow('others are imported');
  gate.resolve();
  await work;
  line.enter(visitor());
});

test('a tenant has one place, and who sends nothing for long makes room for whoever needs it', () => {
  const line = new OneAtATime();
  const sentAway: string[] = [];
  const enter = (tenant: string, now: number) =>
    line.enter(
      visitor(tenant, ({ message }) => sentAway.push(`${tenant}: ${message}`)),
      now,
    );
  const first = enter('silent', 0);
  const fails = (tenant: string, now: number, message: string) =>
    expect(() => enter(tenant, now)).toThrow(expect.objectContaining({ code: 'IMPORT_BUSY', message }));
  fails('silent', 1, 'you import another one just now; nothing was accepted, try again');
  // Others find room beside it.
  const working = enter('working', 1);
  void working.run(() => new Promise(() => {}));
  for (let n = 2; n <= MOST_WAITING; n += 1) enter(`other-${n}`, n);
  fails('next', PATIENCE_MS - 1, 'others are imported just now; nothing was accepted, try again');
  expect(sentAway).toEqual([]);
  enter('next', PATIENCE_MS);
  expect(sentAway).toEqual(['silent: what you send took too long while others wait; nothing was accepted, try again']);
  // Whoever works is never sent away, one's own place that is late is one's to take again.
  fails('working', 10 * PATIENCE_MS, 'you import another one just now; nothing was accepted, try again');
  enter('other-3', PATIENCE_MS + 3);
  expect(sentAway.slice(1)).toEqual([expect.stringMatching(/^other-3: /)]);
  // What was sent away frees nothing twice.
  first.leave();
  fails('one-more', PATIENCE_MS + 1, 'others are imported just now; nothing was accepted, try again');
  return expect(first.run(async () => 'late')).rejects.toMatchObject({ code: 'IMPORT_BUSY' });
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
