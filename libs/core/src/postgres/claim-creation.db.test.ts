import { afterAll, expect, test } from 'vitest';
import { canonicalJson, type RequestId, type SessionId, type TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { claimCreation } from './claim-creation.ts';
import { claimIdempotencyKey, expireIdempotencyKeys } from './idempotency.ts';
import { acceptPrompt } from './prompts.ts';
import { discardStartingSession, startSessionRow } from './sessions.ts';

const { database, drop } = await openTestDatabase();
afterAll(drop);

const acme = 'acme' as TenantId;
const other = 'other' as TenantId;
const id = (value: string) => value as SessionId;

test('a creation is known again however late it is repeated; a refused one leaves nothing, and a dead one all or nothing', async () => {
  const create = (session: string, requestId: string, body = '{}') =>
    claimCreation(database, {
      tenant: acme,
      session: id(session),
      header: {},
      options: {},
      body,
      requestId: requestId as RequestId,
    });
  expect(await create('made', 'r1')).toEqual({ kind: 'new', requestId: 'r1' });
  const caller = { tenant: acme, session: id('made'), body: '{}', requestId: 'r9' as RequestId };
  await claimIdempotencyKey(database, { ...caller, key: 'k' });
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  await database.updateTable('idempotency').set({ created_at: old }).where('session_id', '=', 'made').execute();
  expect(await expireIdempotencyKeys(database)).toBe(1);
  expect(await create('made', 'r2')).toEqual({ kind: 'repeated', requestId: 'r1' });
  expect(await create('made', 'r2', '[]')).toEqual({ kind: 'taken' });

  // As a fork or an import does: no key says what it was created with.
  const header = { parentSession: 'made' };
  await startSessionRow(database, { tenant: acme, session: id('forked'), header, options: {} });
  expect([await create('forked', 'r3'), await create('forked', 'r4')]).toEqual([{ kind: 'taken' }, { kind: 'taken' }]);

  const rows = () =>
    Promise.all([
      database.selectFrom('sessions').select('id').where('id', '=', 'torn').execute(),
      database.selectFrom('idempotency').select('key').where('session_id', '=', 'torn').execute(),
    ]);
  // What is written second cannot be: the database takes no such text.
  await expect(create('torn', 'a\0b')).rejects.toThrow();
  expect(await rows()).toEqual([[], []]);
  await create('torn', 'r5');
  expect(await discardStartingSession(database, { tenant: acme, session: id('torn') })).toBe(true);
  expect(await rows()).toEqual([[], []]);
});

test('a creation whose row an older version wrote alone is gone on with, once, unless something has come of it', async () => {
  const alone = (session: string, more: object = {}) => {
    const header = { version: 0, id: session, createdAt: 1, cwd: '/a' };
    return startSessionRow(database, { tenant: acme, session: id(session), header, options: { a: 1 }, ...more });
  };
  const create = (session: string, { requestId = 'r1', tenant = acme, cwd = '/a', a = 1 } = {}) =>
    claimCreation(database, {
      tenant,
      session: id(session),
      header: { version: 0, id: session, createdAt: 2, cwd },
      options: { a },
      body: canonicalJson({ a, cwd }),
      requestId: requestId as RequestId,
    });
  await alone('half');
  for (const otherwise of [{ cwd: '/b' }, { a: 2 }, { tenant: other }])
    expect(await create('half', otherwise)).toEqual({ kind: 'taken' });
  const both = await Promise.all(['r1', 'r2'].map((requestId) => create('half', { requestId })));
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['new', 'repeated']);
  expect(both[0]).toMatchObject({ requestId: both[1]?.kind === 'taken' ? '' : both[1]?.requestId });

  await alone('told');
  const entry = {
    requestId: 'p' as RequestId,
    kind: 'prompt' as const,
    content: [],
    source: { kind: 'user' as const },
    preview: '',
  };
  await acceptPrompt(database, { tenant: acme, session: id('told'), mode: 'send', entry });
  await alone('begun');
  await database.updateTable('sessions').set({ status: 'idle', generation: 1 }).where('id', '=', 'begun').execute();
  expect([await create('told'), await create('begun')]).toEqual([{ kind: 'taken' }, { kind: 'taken' }]);
});
