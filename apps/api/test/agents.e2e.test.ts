import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { testDatabase, type TestDatabase } from '@everturn/core/testing';
import { startApi, type ApiUnderTest } from './support/api-under-test.ts';
import { LogWriter } from './support/log-writer.ts';

let database: TestDatabase;
let api: ApiUnderTest;
let session: string;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi({ databaseUrl: database.url });
  session = (await LogWriter.open(api.projection)).key.session;
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** How many rows requests may leave behind. */
async function footprint(): Promise<number[]> {
  const tables = ['prompts', 'idempotency', 'requests', 'sent_requests'] as const;
  const counts = tables.map((table) =>
    api.database
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  return (await Promise.all(counts)).map(({ count }) => count);
}

/** The row of an agent, as whoever starts one writes it. */
async function agentOf(parent: string, mode: 'one-shot' | 'continuable', status?: 'closed' | 'broken') {
  const key = { tenant: 'acme' as TenantId, session: `sub-${crypto.randomUUID()}` as SessionId };
  await startSessionRow(api.database, {
    ...key,
    header: { version: 0, id: key.session, createdAt: 1, parentSession: parent, origin: 'subagent' },
    options: { delegation: { mode, provider: 'spawn', label: 'Look' } },
    parent: parent as SessionId,
  });
  if (status) await api.database.updateTable('sessions').set({ status }).where('id', '=', key.session).execute();
  return key.session;
}
const codeOf = async (...[method, path, options]: Parameters<ApiUnderTest['request']>) => {
  const { status, body } = await api.request(method, path, options);
  return [status, (body as { code?: string }).code];
};

test('what changes a session is refused for an agent, and leaves nothing behind', async () => {
  const agent = await agentOf(session, 'continuable');
  const before = await footprint();
  const changes: [string, string, object?][] = [
    ['DELETE', ''],
    ['POST', '/prompts', { content: 'a' }],
    ['POST', '/prompts', { content: '/plan off' }],
    ['PATCH', '/queue/p', { content: 'a' }],
    ['DELETE', '/queue/p'],
    ['POST', '/inject', { content: 'a' }],
    ['POST', '/references', { sessions: ['s'] }],
    ['POST', '/cancel'],
    ['POST', '/interrupt'],
    ['POST', '/compact'],
    ['POST', '/resume'],
    ['POST', '/commands', { command: '/plan off' }],
    ['PUT', '/title', { title: 'a' }],
    ['PUT', '/plan', { active: true }],
    ['PUT', '/model', { provider: 'p', model: 'm' }],
    ['PUT', '/permissions', { preset: 'danger-full-access' }],
    ['PUT', '/goal', { operation: 'create', objective: 'o' }],
    ['DELETE', '/goal', { ref: { id: 'goal-00000000-0000-4000-8000-000000000001', revision: 1 } }],
    ['POST', '/reminders', { prompt: 'p', afterSeconds: 60 }],
    ['DELETE', '/reminders/schedule-1'],
  ];
  for (const [method, path, json] of changes)
    expect([method, path, await codeOf(method, `/v1/sessions/${agent}${path}`, json && { json })]).toEqual([
      method,
      path,
      [409, 'AGENT_BUSY'],
    ]);
  const definition = { times: { cron: ['@daily'] }, prompt: 'p', session: agent };
  expect(await codeOf('POST', '/v1/schedules', { json: { id: 'to-an-agent', definition } })).toEqual([
    409,
    'AGENT_BUSY',
  ]);
  expect(await footprint()).toEqual(before);
  const { body } = await api.request('POST', `/v1/sessions/${agent}/prompts`, { json: { content: 'a' } });
  expect((body as { message: string }).message).toContain(`POST /v1/sessions/${session}/children/${agent}/prompts`);
});

test('who writes to an agent names whose it is; one of one task, of nobody, of a session that has closed is not written to', async () => {
  const [stays, once] = [await agentOf(session, 'continuable'), await agentOf(session, 'one-shot')];
  const closed = await agentOf(session, 'continuable', 'closed');
  const [below, broken] = [await agentOf(closed, 'continuable'), await agentOf(session, 'continuable', 'broken')];
  const write = (parent: string, child: string, tenant?: string) =>
    codeOf('POST', `/v1/sessions/${parent}/children/${child}/prompts`, {
      json: { content: 'a' },
      ...(tenant && { tenant }),
    });
  const before = await footprint();
  expect([
    await write(session, 'nobody'),
    await write(session, session),
    await write(stays, once),
    await write(session, once),
    await write(closed, below),
    await write(session, broken),
    await write(session, stays, 'other'),
  ]).toEqual([
    [404, 'SUBAGENT_NOT_FOUND'],
    [404, 'SUBAGENT_NOT_FOUND'],
    [403, 'SUBAGENT_UNAUTHORIZED'],
    [409, 'SUBAGENT_NOT_RESUMABLE'],
    [409, 'SUBAGENT_PARENT_UNAVAILABLE'],
    [409, 'SESSION_BROKEN'],
    [404, 'SESSION_NOT_FOUND'],
  ]);
  expect(await footprint()).toEqual(before);
  const stop = (child: string) => api.request('POST', `/v1/sessions/${session}/children/${child}/interrupt`);
  for (const child of [once, closed])
    expect(await stop(child)).toMatchObject({ status: 202, body: { accepted: 'delivered' } });
  expect((await stop('nobody')).status).toBe(404);
});
