import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { BlobRef, RequestId, SessionId, TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { putBlob, readBlob } from './blobs.ts';
import { collectBlobs } from './collect-blobs.ts';
import { collectPayloads, payloadStore } from './payloads.ts';
import { acceptPrompt } from './prompts.ts';
import { startSessionRow } from './sessions.ts';

const { database, drop } = await openTestDatabase();
afterAll(drop);

const DAY_MS = 24 * 3_600_000;
const collect = () => collectBlobs(database, { retentionMs: 30 * DAY_MS, limit: 100 });

/** A value of a tenant of its own, last stored so many days ago. */
async function stored(tenant: string, value: string, days: number): Promise<BlobRef> {
  const reference = await putBlob(database, tenant as TenantId, value);
  await database
    .updateTable('blobs')
    .set({ used_at: sql<Date>`clock_timestamp() - ${days} * interval '1 day'` })
    .where('id', '=', reference.$blob)
    .execute();
  return reference;
}

async function session(tenant: string, days: { created: number; changed: number }, status: 'idle' | 'closed') {
  const key = { tenant: tenant as TenantId, session: `s-${tenant}` as SessionId };
  await startSessionRow(database, { ...key, header: { version: 0 }, options: {} });
  await database
    .updateTable('sessions')
    .set({
      status,
      created_at: sql<Date>`clock_timestamp() - ${days.created} * interval '1 day'`,
      updated_at: sql<Date>`clock_timestamp() - ${days.changed} * interval '1 day'`,
    })
    .where('id', '=', key.session)
    .execute();
  return key;
}

const kept = async (tenant: string, { $blob }: BlobRef) =>
  (await readBlob(database, tenant as TenantId, $blob)) !== undefined;

test('collects what nothing can refer to, and only that', async () => {
  const gone = await stored('gone', 'old', 40);
  await session('gone', { created: 60, changed: 40 }, 'closed');
  const recent = await stored('recent', 'young', 30);
  const open = await stored('open', 'of an open session', 40);
  await session('open', { created: 60, changed: 40 }, 'idle');
  const closed = await stored('closed', 'its histories are still kept', 40);
  await session('closed', { created: 60, changed: 10 }, 'closed');
  const later = await stored('later', 'older than every session', 40);
  await session('later', { created: 20, changed: 1 }, 'idle');
  const again = await stored('again', 'twice', 40);
  await putBlob(database, 'again' as TenantId, 'twice');
  expect(await collect()).toBe(2);
  expect(await Promise.all([kept('gone', gone), kept('later', later)])).toEqual([false, false]);
  expect(
    await Promise.all([kept('recent', recent), kept('open', open), kept('closed', closed), kept('again', again)]),
  ).toEqual([true, true, true, true]);
});

test('keeps what a message or an effect refers to', async () => {
  const [message, outcome, written, loose] = [
    await stored('rows', 'a long prompt', 90),
    await stored('rows', 'a long result', 90),
    await stored('rows', 'a long answer', 90),
    await stored('rows', 'a header', 90),
  ];
  const key = await session('rows', { created: 99, changed: 80 }, 'closed');
  const requestId = 'r1' as RequestId;
  const entry = { requestId, kind: 'prompt', content: message, source: { kind: 'user' }, preview: '' } as const;
  await acceptPrompt(database, { ...key, mode: 'send', entry });
  const claim = { session_id: key.session, tenant: key.tenant, state: 'done' } as const;
  await database
    .insertInto('claims')
    .values([
      { ...claim, key: 't1.s1.c0', outcome: JSON.stringify({ content: outcome, isError: false }) },
      { ...claim, key: 't1.s1.model', written: JSON.stringify([{ data: { content: written } }]) },
    ])
    .execute();
  expect(await collect()).toBe(1);
  const all = await Promise.all([message, outcome, written, loose].map((reference) => kept('rows', reference)));
  expect(all).toEqual([true, true, true, false]);
});

test('values that stay keep none that must go from being looked at', async () => {
  const key = await session('crowd', { created: 99, changed: 80 }, 'closed');
  const claim = { session_id: key.session, tenant: key.tenant, state: 'done' } as const;
  const referred = [];
  for (const n of [1, 2, 3]) {
    const reference = await stored('crowd', `result ${n}`, 95 - n);
    referred.push(reference);
    const outcome = JSON.stringify({ content: reference, isError: false });
    await database
      .insertInto('claims')
      .values({ ...claim, key: `t1.s1.c${n}`, outcome })
      .execute();
  }
  const loose = await stored('crowd', 'of nobody', 90);
  const few = () => collectBlobs(database, { retentionMs: 30 * DAY_MS, limit: 2 });
  expect([await few(), await few(), await few()]).toEqual([0, 1, 0]);
  expect(await Promise.all([...referred, loose].map((one) => kept('crowd', one)))).toEqual([true, true, true, false]);
});

test('what was kept out of Temporal is collected when its session was closed longer ago than histories are kept', async () => {
  const ages: Record<string, [number, 'idle' | 'closed']> = {
    'paid-gone': [40, 'closed'],
    'paid-recent': [30, 'closed'],
    'paid-open': [40, 'idle'],
  };
  const addresses = [];
  const store = payloadStore(database);
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('\0"x"') };
  for (const [tenant, [changed, status]] of Object.entries(ages)) {
    const key = await session(tenant, { created: 60, changed }, status);
    const address = await store.put(key.session, payload);
    expect(await store.put(key.session, payload)).toEqual(address);
    expect(await store.get(address)).toEqual(payload);
    addresses.push(address);
  }
  expect(addresses.map(({ tenant }) => tenant)).toEqual(Object.keys(ages));
  await database
    .updateTable('payloads')
    .set({ created_at: sql<Date>`clock_timestamp() - interval '50 days'` })
    .execute();
  expect(await collectPayloads(database, { retentionMs: 30 * DAY_MS, limit: 100 })).toBe(1);
  const [gone = {}, ...others] = addresses;
  await expect(store.get(gone)).rejects.toMatchObject({ code: 'POSTGRES_PAYLOAD_MISSING' });
  for (const address of others) expect(await store.get(address)).toEqual(payload);
});
