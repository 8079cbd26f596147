import { afterAll, expect, test } from 'vitest';
import type { RequestId, SessionId, TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { createApiKey, findApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { claimIdempotencyKey } from './idempotency.ts';
import { listSessions } from './list-sessions.ts';
import { acceptPrompt, promptsOfTurn, readPrompt, unclaimedPrompts, unwrittenPrompts } from './prompts.ts';
import { noteSentRequest } from './sent-requests.ts';
import {
  changeSession,
  discardStartingSession,
  listStartingSessions,
  readSession,
  startSessionRow,
} from './sessions.ts';
import { writeSettings } from './settings.ts';

const { database, drop } = await openTestDatabase();
afterAll(drop);

const acme = 'acme' as TenantId;
const other = 'other' as TenantId;
const id = (value: string) => value as SessionId;

test('an id is claimed once, whoever asks', async () => {
  const input = {
    tenant: acme,
    session: id('one'),
    header: { version: 0, cwd: '/w' },
    options: { systemPrompt: 'a\0b' },
    metadata: { team: 'x\0' },
    preview: 'hello \ud83d',
  };
  const results = await Promise.all(Array.from({ length: 5 }, () => startSessionRow(database, input)));
  expect(results.filter(({ kind }) => kind === 'started')).toHaveLength(1);
  expect(results.filter(({ kind }) => kind === 'exists')).toHaveLength(4);
  expect(await startSessionRow(database, { ...input, tenant: other })).toEqual({ kind: 'foreign' });
  expect(await readSession(database, { tenant: acme, session: id('one') })).toEqual({
    id: 'one',
    tenant: 'acme',
    header: { version: 0, cwd: '/w' },
    options: { systemPrompt: 'a\0b' },
    status: 'starting',
    generation: 0,
    queueLength: 0,
    usage: {},
    title: '',
    preview: 'hello \uFFFD',
    metadata: { team: 'x\uFFFD' },
    createdAt: expect.any(Date),
    updatedAt: expect.any(Date),
  });
  expect(await readSession(database, { tenant: other, session: id('one') })).toBeUndefined();
});

test('a session begins with the preset its tenant wants for new ones, and keeps it', async () => {
  const tenant = 'careful' as TenantId;
  const wants = (defaultPreset: string) =>
    writeSettings(database, {
      tenant,
      namespace: 'permission',
      change: (user) => ({ kind: 'changed', user: { ...user, defaultPreset }, value: {} }),
    });
  const make = async (name: string) => {
    const key = { tenant, session: id(name) };
    await startSessionRow(database, { ...key, header: { version: 0 }, options: {} });
    return async () => (await readSession(database, key))?.defaultPreset;
  };
  const before = await make('before');
  await wants('read-only');
  const after = await make('after');
  await wants('danger-full-access');
  expect([await before(), await after()]).toEqual([undefined, 'read-only']);
  await wants('of another version');
  expect(await (await make('odd'))()).toBeUndefined();
});

test('a session of nobody else begins with the models its tenant lets its agents have, unless it says so itself', async () => {
  const tenant = 'choosing' as TenantId;
  const route = (model: string) => ({ provider: 'p', model });
  const allow = (...models: string[]) =>
    writeSettings(database, {
      tenant,
      namespace: 'subagent-model-selection',
      change: () => ({ kind: 'changed', user: { allowedModels: models.map(route) }, value: {} }),
    });
  const made = async (name: string, more: { options?: object; parent?: SessionId } = {}) => {
    const key = { tenant, session: id(name) };
    await startSessionRow(database, { ...key, header: { version: 0 }, options: {}, ...more });
    return async () => (await readSession(database, key))?.options['subagentModels'];
  };
  const before = await made('chooses-none');
  await allow('a', 'b');
  const after = await made('chooses');
  const own = await made('chooses-itself', { options: { subagentModels: [route('own')] } });
  const child = await made('is-chosen', { parent: id('chooses') });
  await allow();
  const last = await made('chooses-no-more');
  expect([await before(), await after(), await own(), await child(), await last()]).toEqual([
    undefined,
    [route('a'), route('b')],
    [route('own')],
    undefined,
    undefined,
  ]);
});

test('a start that came to nothing is found and given up, a session that began is not', async () => {
  const tenant = 'births' as TenantId;
  for (const session of ['early', 'begun'])
    await startSessionRow(database, { tenant, session: id(session), header: {}, options: {} });
  await database.updateTable('sessions').set({ status: 'idle', generation: 1 }).where('id', '=', 'begun').execute();
  const found = (await listStartingSessions(database, { by: 'caller', olderThanMs: 0, limit: 100 })).map(
    (row) => row.id,
  );
  expect(found).toContain('early');
  expect(found).not.toContain('begun');
  expect(await listStartingSessions(database, { by: 'caller', olderThanMs: 60_000, limit: 100 })).toEqual([]);
  expect(await discardStartingSession(database, { tenant, session: id('begun') })).toBe(false);
  expect(await discardStartingSession(database, { tenant, session: id('early') })).toBe(true);
});

test('lists are filtered, in order of creation, and a cursor misses and repeats nothing', async () => {
  const tenant = 'lists' as TenantId;
  const names = Array.from({ length: 12 }, (_, n) => `list-${String(n).padStart(2, '0')}`);
  for (const [n, name] of names.entries()) {
    await startSessionRow(database, {
      tenant,
      session: id(name),
      header: {},
      options: {},
      metadata: { n: n % 3, deep: { even: n % 2 === 0 } },
      ...(n > 8 && { parent: id('list-00') }),
    });
  }
  // Some in the very same millisecond.
  await database
    .updateTable('sessions')
    .set({ created_at: new Date(1e12) })
    .where('id', 'in', names.slice(2, 9))
    .execute();
  const paged: string[] = [];
  let after: { createdAt: Date; id: SessionId } | undefined;
  do {
    const page = await listSessions(database, { tenant, limit: 5, ...(after && { after }) });
    paged.push(...page.map((row) => row.id));
    after = page.length === 5 ? page.at(-1) : undefined;
  } while (after);
  expect(paged.toSorted()).toEqual(names);
  expect(paged.slice(-7)).toEqual(names.slice(2, 9));
  const ids = async (filter: object) =>
    (await listSessions(database, { tenant, limit: 50, ...filter })).map((row) => row.id).toSorted();
  expect(await ids({ metadata: { deep: { even: true }, n: 0 } })).toEqual(['list-00', 'list-06']);
  expect(await ids({ parent: 'list-00' })).toEqual(['list-09', 'list-10', 'list-11']);
  expect(await ids({ status: ['idle'] })).toEqual([]);
  expect(await ids({ createdBefore: new Date(1e12 + 1) })).toEqual(names.slice(2, 9));
  expect(await listSessions(database, { tenant: other, limit: 50 })).toEqual([]);
  expect(await changeSession(database, { tenant, session: id('list-00'), title: 'T', metadata: {} })).toBe(true);
  expect(await changeSession(database, { tenant: other, session: id('list-00'), title: 'X' })).toBe(false);
  expect(await readSession(database, { tenant, session: id('list-00') })).toMatchObject({ title: 'T', metadata: {} });
});

test('a key is good for one body', async () => {
  const key = { tenant: acme, session: id('one'), key: 'k' };
  const requestId = (value: string) => value as RequestId;
  const claims = await Promise.all(
    ['r1', 'r2', 'r3'].map((name) => claimIdempotencyKey(database, { ...key, body: '{}', requestId: requestId(name) })),
  );
  const first = claims.find(({ kind }) => kind === 'new') as { requestId: RequestId };
  expect(claims.filter(({ kind }) => kind === 'repeated')).toEqual([
    { kind: 'repeated', requestId: first.requestId },
    { kind: 'repeated', requestId: first.requestId },
  ]);
  expect(await claimIdempotencyKey(database, { ...key, body: '[]', requestId: requestId('r4') })).toEqual({
    kind: 'conflict',
  });
});

test('cancels before a message are its own tenant’s', async () => {
  const key = { tenant: acme, session: id('cancelled') };
  const cancel = { kind: 'cancel', requestId: 'c' as RequestId } as const;
  await noteSentRequest(database, { ...key, ...cancel, tenant: other, requestId: 'theirs' as RequestId });
  await noteSentRequest(database, { ...key, ...cancel });
  const entry = {
    requestId: 'm' as RequestId,
    kind: 'prompt' as const,
    content: [],
    source: { kind: 'user' as const },
    preview: '',
  };
  await acceptPrompt(database, { ...key, mode: 'send', entry });
  expect((await unwrittenPrompts(database, key)).map(({ cancels }) => cancels)).toEqual([['c']]);
});

test('messages are kept once and in order', async () => {
  const key = { tenant: acme, session: id('one') };
  const entry = (requestId: string) => ({
    requestId: requestId as RequestId,
    kind: 'prompt' as const,
    content: [{ type: 'text' as const, text: 'a\0' }],
    source: { kind: 'user' as const },
    preview: '',
  });
  for (const name of ['p2', 'p1', 'p2']) await acceptPrompt(database, { ...key, mode: 'send', entry: entry(name) });
  expect((await unclaimedPrompts(database, key)).map((prompt) => prompt.entry)).toEqual([entry('p2'), entry('p1')]);
  await database.updateTable('prompts').set({ state: 'claimed', turn: 3 }).where('prompt_id', '=', 'p1').execute();
  expect((await promptsOfTurn(database, { ...key, turn: 3 })).map(({ promptId }) => promptId)).toEqual(['p1']);
  expect(await readPrompt(database, { ...key, promptId: 'p1' as RequestId })).toMatchObject({
    state: 'claimed',
    turn: 3,
  });
  expect(await readPrompt(database, { ...key, tenant: other, promptId: 'p1' as RequestId })).toBeUndefined();
});

test('a key of the API opens its tenant until it is revoked or expires', async () => {
  const { id: keyId, secret } = await createApiKey(database, { tenant: acme, name: 'laptop' });
  expect(await findApiKey(database, secret)).toEqual({ id: keyId, tenant: acme });
  expect(await findApiKey(database, `${secret}x`)).toBeUndefined();
  const expired = await createApiKey(database, { tenant: acme, expiresAt: new Date(Date.now() - 1000) });
  expect(await findApiKey(database, expired.secret)).toBeUndefined();
  expect(await revokeApiKey(database, { tenant: other, id: keyId })).toBe(false);
  expect(await revokeApiKey(database, { tenant: acme, id: keyId })).toBe(true);
  expect(await findApiKey(database, secret)).toBeUndefined();
  const listed = await listApiKeys(database, acme);
  expect(listed.map(({ id: listedId, name }) => [listedId, name])).toEqual([
    [keyId, 'laptop'],
    [expired.id, ''],
  ]);
  expect(JSON.stringify(listed)).not.toContain(secret);
});
