import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '../testing/index.ts';
import { openDatabase } from './database.ts';
import { chargeRouteTokens, giveUpRouteSlots, takeRouteSlot } from './route-limits.ts';

const { database, url, drop } = await openTestDatabase();
const elsewhere = openDatabase(url);
afterAll(async () => {
  await elsewhere.destroy();
  await drop();
});

const waits = () => sql<{ waiter: string }>`select waiter from route_waits order by slot_at`.execute(database);
/** Lets so many seconds pass for everything that is kept. */
const pass = async (seconds: number) => {
  await sql`update route_waits set slot_at = slot_at - ${seconds} * interval '1 second'`.execute(database);
  await sql`update route_limits set next_request_at = next_request_at - ${seconds} * interval '1 second',
    tokens_until = tokens_until - ${seconds} * interval '1 second'`.execute(database);
};

test('of 60 a minute seven go at once, the others one after another, each worker in the same queue', async () => {
  const limit = { requestsPerMinute: 60 };
  const asked: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    const worker = n % 2 === 0 ? database : elsewhere;
    asked.push(await takeRouteSlot(worker, { route: 'even', waiter: `w${n}`, limit }));
  }
  expect(asked.slice(0, 7)).toEqual(Array(7).fill(0));
  const gap = 60_000 / 54;
  for (const [n, wait] of asked.slice(7).entries()) expect(Math.abs(wait - gap * (n + 1))).toBeLessThan(500);
  // Who asks again keeps its place, and is let through when it has come; nobody is passed.
  const again = await takeRouteSlot(elsewhere, { route: 'even', waiter: 'w8', limit });
  expect(again).toBeLessThanOrEqual(asked[8] ?? 0);
  expect((await waits()).rows.map(({ waiter }) => waiter)).toEqual(['w7', 'w8', 'w9', 'w10', 'w11']);
  await pass((gap * 2) / 1000 + 0.05);
  expect(await takeRouteSlot(database, { route: 'even', waiter: 'w8', limit })).toBe(0);
  expect(await takeRouteSlot(database, { route: 'even', waiter: 'new', limit })).toBeGreaterThan(gap * 3);
});

test('in no minute more go out than the limit says', async () => {
  for (const requestsPerMinute of [1, 7, 25, 100]) {
    const route = `limit-${requestsPerMinute}`;
    const due = await Promise.all(
      Array.from({ length: requestsPerMinute * 2 + 3 }, (_, n) =>
        takeRouteSlot(n % 2 ? database : elsewhere, { route, waiter: `w${n}`, limit: { requestsPerMinute } }),
      ),
    );
    const sorted = due.toSorted((a, b) => a - b);
    // All were asked for at about the same time, so what they wait is when they go.
    for (const [n, at] of sorted.entries()) {
      const inMinute = sorted.filter((other) => other >= at && other < at + 59_000).length;
      expect(inMinute, `from the ${n}th of ${requestsPerMinute} a minute`).toBeLessThanOrEqual(requestsPerMinute);
    }
  }
});

test('a place that is given up goes to who comes next, and no minute gets more than the limit', async () => {
  const limit = { requestsPerMinute: 6 };
  const ask = (waiter: string) => takeRouteSlot(database, { route: 'given-up', waiter, limit });
  expect(await ask('first')).toBe(0);
  const [second, third, fourth] = [await ask('second'), await ask('third'), await ask('fourth')];
  await giveUpRouteSlots(elsewhere, ['second', 'third', 'nobody']);
  const [early, later, last] = [await ask('early'), await ask('later'), await ask('last')];
  for (const [has, had] of [
    [early, second],
    [later, third],
  ] as const)
    expect(Math.abs(had - has)).toBeLessThan(1_000);
  expect(await ask('fourth')).toBeLessThanOrEqual(fourth);
  expect(last).toBeGreaterThan(fourth + 9_000);
  // One that comes after its slot has passed has lost it, and waits for nobody else's.
  await giveUpRouteSlots(database, ['early']);
  await pass(60);
  expect(await ask('new')).toBe(0);
});

test('tokens are counted when they are known, and hold up what comes after', async () => {
  const limit = { tokensPerMinute: 1_000 };
  const ask = () => takeRouteSlot(database, { route: 'tokens', waiter: 'w', limit });
  const charge = (used: number) => chargeRouteTokens(elsewhere, { route: 'tokens', used, ...limit });
  expect(await ask()).toBe(0);
  await charge(900);
  expect(await ask()).toBe(0);
  await charge(600);
  const wait = await ask();
  expect(wait).toBeGreaterThan(25_000);
  expect(wait).toBeLessThanOrEqual(30_000);
  await pass(31);
  expect(await ask()).toBe(0);
});

test('places of those that never came back are given up', async () => {
  await sql`delete from route_waits`.execute(database);
  const limit = { requestsPerMinute: 1 };
  for (const waiter of ['a', 'b']) await takeRouteSlot(database, { route: 'gone', waiter, limit });
  await pass(7_200);
  for (const waiter of ['c', 'd']) await takeRouteSlot(database, { route: 'gone', waiter, limit });
  expect((await waits()).rows).toEqual([{ waiter: 'd' }]);
});
