import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { HostId, SessionId, TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { findHost, releaseGoneHost } from './assign-host.ts';
import type { FindHostInput } from './assign-host.ts';
import { beatHost, listLiveHosts, readHost, releaseHost, takeHost } from './hosts.ts';
import { startSessionRow } from './sessions.ts';

const { database, drop } = await openTestDatabase();
afterAll(drop);

const tenant = 'acme' as TenantId;
const host = (id: string) => id as HostId;
const take = (id: string, holder: string, roots: string[] = ['/work'], deadHolder?: string) =>
  takeHost(database, { host: host(id), holder, roots, ...(deadHolder !== undefined && { deadHolder }) });
const age = (id: string, seconds: number) =>
  sql`update hosts set last_seen = clock_timestamp() - ${seconds} * interval '1 second' where host_id = ${id}`.execute(
    database,
  );

test('a lease is taken once, again by its holder, from a dead one at once, and from a silent one after ten seconds', async () => {
  expect(await take('a', 'one')).toEqual({ kind: 'taken', epoch: 1 });
  expect(await take('a', 'two')).toMatchObject({ kind: 'held', holder: 'one' });
  expect(await take('a', 'one')).toEqual({ kind: 'taken', epoch: 2 });
  expect(await take('a', 'two', ['/work'], 'one')).toEqual({ kind: 'taken', epoch: 3 });
  await age('a', 7);
  expect(await take('a', 'three')).toMatchObject({ kind: 'held', holder: 'two' });
  await age('a', 10);
  expect(await take('a', 'three')).toEqual({ kind: 'taken', epoch: 4 });
  expect(await beatHost(database, { host: host('a'), epoch: 3 })).toBe(false);
  expect(await beatHost(database, { host: host('a'), epoch: 4 })).toBe(true);
  await releaseHost(database, { host: host('a'), epoch: 4 });
  expect(await take('a', 'four')).toEqual({ kind: 'taken', epoch: 5 });
});

test('ten processes that start at once: one gets the lease', async () => {
  const results = await Promise.all(Array.from({ length: 10 }, (_, n) => take('b', `p${n}`)));
  expect(results.filter(({ kind }) => kind === 'taken')).toEqual([{ kind: 'taken', epoch: 1 }]);
});

async function session(id: string): Promise<Pick<FindHostInput, 'tenant' | 'session'>> {
  await startSessionRow(database, { tenant, session: id as SessionId, header: {}, options: {} });
  return { tenant, session: id as SessionId };
}

test('a session is bound to a live host that has its workspace, and stays there', async () => {
  await take('c', 'c1', ['/data/a', '/data/bb']);
  await take('d', 'd1', ['/data/b/']);
  const key = await session('s1');
  const asked = { ...key, cwd: '/data/b/project/' };
  const bound = await Promise.all(Array.from({ length: 5 }, () => findHost(database, asked)));
  expect(bound).toEqual(Array.from({ length: 5 }, () => ({ kind: 'assigned', host: 'd', epoch: 1 })));
  await take('d', 'd2', ['/data/b'], 'd1');
  expect(await findHost(database, asked)).toEqual({ kind: 'assigned', host: 'd', epoch: 2 });
  await age('d', 25);
  expect(await findHost(database, asked)).toMatchObject({ kind: 'assigned' });
  expect(await releaseGoneHost(database, asked)).toBe(false);
  await age('d', 30);
  expect(await findHost(database, asked)).toEqual({
    kind: 'none',
    reason: expect.stringContaining('host d has not been seen for 30 s'),
  });
  await take('e', 'e1', ['/data']);
  expect(await releaseGoneHost(database, { ...asked, tenant: 'other' as TenantId })).toBe(false);
  expect(await releaseGoneHost(database, asked)).toBe(true);
  expect(await releaseGoneHost(database, asked)).toBe(false);
  expect(await findHost(database, asked)).toEqual({ kind: 'assigned', host: 'e', epoch: 1 });
});

test('a workspace nobody has, a session nobody has', async () => {
  const key = await session('s2');
  expect(await findHost(database, { ...key, cwd: '/nowhere' })).toEqual({
    kind: 'none',
    reason: 'no live host has the workspace /nowhere',
  });
  await take('f', 'f1', ['/f']);
  const foreign = { ...key, tenant: 'other' as TenantId, cwd: '/f' };
  expect(await findHost(database, foreign)).toEqual({ kind: 'none', reason: 'there is no session s2' });
});

test('hosts are listed while they live', async () => {
  await take('g', 'g1');
  await age('g', 31);
  const live = (await listLiveHosts(database)).map(({ id }) => id);
  expect(live).not.toContain('g');
  expect(live).toContain('e');
  expect(await readHost(database, host('g'))).toMatchObject({ id: 'g', epoch: 1, holder: 'g1', roots: ['/work'] });
});
