import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptPrompt, readBlob, readPrompt, settleRequest } from '@everturn/core/postgres';
import type { BlobRef, RequestId, SessionId, TenantId } from '@everturn/core/domain';
import { startServer, testDatabase, waitFor, type TestDatabase, type TestServer } from '@everturn/core/testing';
import { startApi, type Answer, type ApiUnderTest } from './support/api-under-test.ts';
import { LogWriter } from './support/log-writer.ts';

// Without a worker nobody answers an update: every message must reach Temporal as a signal, exactly as it was sent.
let database: TestDatabase;
let temporal: TestServer;
let connection: Connection;
let client: Client;
let api: ApiUnderTest;

beforeAll(async () => {
  [database, temporal] = await Promise.all([testDatabase(), startServer('temporal')]);
  const { url: address, namespace } = temporal;
  api = await startApi({ databaseUrl: database.url, temporal: { address, namespace } });
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
});
afterAll(async () => {
  await connection.close();
  await api.stop();
  await temporal.drop();
  await database.drop();
});

const tenant = 'acme' as TenantId;

type Receipt = { promptId: RequestId; accepted: string };
const receipt = ({ body }: Answer) => body as Receipt;
const created = ({ body }: Answer) => body as { id: SessionId; prompt: Receipt };

/** The signals a session's workflow was sent, by name and first argument. */
async function signals(session: string): Promise<[string, Record<string, unknown>][]> {
  const { events } = await client.workflow.getHandle(`session:${session}`).fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal
      ? [
          [
            signal.signalName ?? '',
            JSON.parse(Buffer.from(signal.input?.payloads?.[0]?.data ?? []).toString()) as Record<string, unknown>,
          ],
        ]
      : [],
  );
}

async function prompt(session: string, content: string, key?: string): Promise<Answer> {
  return api.request('POST', `/v1/sessions/${session}/prompts`, {
    json: { content },
    ...(key && { headers: { 'idempotency-key': key } }),
  });
}

// Each waits out the two seconds an update is given; together they wait once.
describe.concurrent('with nobody to answer', () => {
  test('a session is created with its prompt, once for any number of the same requests', async () => {
    const json = { id: 'mine', prompt: 'hello', metadata: { a: 1 } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.request('POST', '/v1/sessions', { json })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 201]);
    const [first] = answers as [Answer];
    const { promptId } = created(first).prompt;
    expect(new Set(answers.map((answer) => created(answer).prompt.promptId))).toEqual(new Set([promptId]));
    expect(first.body).toMatchObject({ id: 'mine', status: 'starting', metadata: { a: 1 }, preview: 'hello' });

    const sent = await signals('mine');
    expect(new Set(sent.map(([name, message]) => `${name} ${String(message['requestId'])}`))).toEqual(
      new Set([`submitPrompt ${promptId}`]),
    );
    const { count } = await api.database
      .selectFrom('prompts')
      .where('session_id', '=', 'mine')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);

    const other = await api.request('POST', '/v1/sessions', { json: { ...json, prompt: 'something else' } });
    const foreign = await api.request('POST', '/v1/sessions', { json, tenant: 'other' });
    expect([other.status, foreign.status]).toEqual([409, 409]);
    expect(foreign.body).toEqual(other.body);
  });

  test('a create that only has a key is one create as well', async () => {
    const create = (text: string) =>
      api.request('POST', '/v1/sessions', { json: { prompt: text }, headers: { 'idempotency-key': 'k-create' } });
    const [first, second] = [await create('a'), await create('a')];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(created(second).id).toBe(created(first).id);
    expect((await create('b')).status).toBe(409);
  });

  test('a prompt is kept, queued, and its request pending; the same key gives the same answer', async () => {
    const { key } = await LogWriter.open(api.projection);
    const first = await prompt(key.session, 'hello', 'k1');
    const { promptId } = receipt(first);
    expect([first.status, first.body]).toEqual([202, { promptId, requestId: promptId, accepted: 'queued' }]);
    const second = await prompt(key.session, 'hello', 'k1');
    expect([second.status, second.body]).toEqual([202, first.body]);
    const other = await prompt(key.session, 'something else', 'k1');
    expect([other.status, other.body]).toEqual([409, expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' })]);
    const outcome = await api.request('GET', `/v1/sessions/${key.session}/requests/${promptId}`);
    expect(outcome.body).toEqual({
      requestId: promptId,
      kind: 'send',
      outcome: 'pending',
      prompt: { state: 'accepted' },
    });
    const ids = (await signals(key.session)).map(([, message]) => message['requestId']);
    expect(new Set(ids)).toEqual(new Set([promptId]));
    const state = await api.request('GET', `/v1/sessions/${key.session}`);
    expect((state.body as { queue: unknown }).queue).toEqual([{ promptId, mode: 'send', preview: 'hello' }]);
  });

  test('5 MB go by reference, whole', { timeout: 60_000 }, async () => {
    const { key } = await LogWriter.open(api.projection);
    const text = `${'0123456789abcde\n'.repeat((5 * 1024 * 1024) / 16)}🙂 \\u0000`;
    const answer = await prompt(key.session, text);
    expect(answer.status).toBe(202);
    const [[, message] = ['', {}]] = await signals(key.session);
    const reference = message['content'] as BlobRef;
    expect(message).toMatchObject({
      content: { $blob: expect.any(String) },
      preview: expect.stringMatching(/^0123456789abcde .*…$/),
    });
    expect(await readBlob(api.database, tenant, reference.$blob)).toEqual([{ type: 'text', text }]);
    const stored = await readPrompt(api.database, { ...key, promptId: receipt(answer).promptId });
    expect(stored?.entry.content).toEqual(reference);
  });

  test('cancel, interrupt, inject and close go the same way and can be asked about', { timeout: 60_000 }, async () => {
    const { key } = await LogWriter.open(api.projection);
    const path = `/v1/sessions/${key.session}`;
    const answers = await Promise.all([
      api.request('POST', `${path}/cancel`),
      api.request('POST', `${path}/interrupt`, { json: {} }),
      api.request('POST', `${path}/inject`, { json: { content: 'it rains', meta: { n: 1 } } }),
      api.request('DELETE', path),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const ids = answers.map(({ body }) => (body as { requestId: string }).requestId);
    const kinds = await Promise.all(ids.map(async (id) => (await api.request('GET', `${path}/requests/${id}`)).body));
    expect(kinds).toEqual([
      { requestId: ids[0], kind: 'cancel', outcome: 'pending' },
      { requestId: ids[1], kind: 'interrupt', outcome: 'pending' },
      { requestId: ids[2], kind: 'inject', outcome: 'pending', prompt: { state: 'accepted' } },
      { requestId: ids[3], kind: 'close', outcome: 'pending' },
    ]);
    const sent = Object.fromEntries((await signals(key.session)).map(([, message]) => [message['requestId'], message]));
    expect(ids.map((id) => sent[id])).toEqual([
      { requestId: ids[0], cause: 'user', queue: 'clear' },
      { requestId: ids[1], cause: 'user', queue: 'park' },
      { requestId: ids[2], content: [{ type: 'text', text: 'it rains' }], source: { kind: 'user' }, meta: { n: 1 } },
      { requestId: ids[3] },
    ]);
  });

  test('what was accepted is answered so again, although its prompt is gone and its session closed', async () => {
    const writer = await LogWriter.open(api.projection);
    const { key } = writer;
    for (const name of ['edited', 'dropped', 'lost']) {
      const entry = { requestId: name as RequestId, kind: 'prompt' as const, content: [], preview: name };
      await acceptPrompt(api.database, { ...key, mode: 'send', entry: { ...entry, source: { kind: 'user' } } });
    }
    const calls: [string, string, object?][] = [
      ['POST', '/prompts', { content: 'a' }],
      ['PATCH', '/queue/edited', { content: 'a' }],
      ['DELETE', '/queue/dropped'],
      ['POST', '/cancel'],
      ['POST', '/interrupt'],
      ['POST', '/inject', { content: 'a' }],
      ['POST', '/compact'],
      ['PUT', '/title', { title: 'a' }],
      ['PUT', '/plan', { active: true }],
      ['PUT', '/goal', { operation: 'create', objective: 'a' }],
      ['PUT', '/permissions', { approvalPolicy: 'never' }],
      ['POST', '/reminders', { prompt: 'a', afterSeconds: 3600 }],
      ['POST', '/commands', { command: '/compact' }],
    ];
    const send = ([method, path, json]: (typeof calls)[number]) =>
      api.request(method, `/v1/sessions/${key.session}${path}`, {
        ...(json && { json }),
        headers: { 'idempotency-key': `${method} ${path}`.replaceAll(' ', '') },
      });
    const lost: (typeof calls)[number] = ['DELETE', '/queue/lost'];
    const first = await Promise.all([...calls, lost].map(send));
    expect(first.map(({ status, body }) => [status, body])).toEqual(first.map(({ body }) => [202, body]));
    const idOf = ({ body }: Answer) => {
      const { requestId, commandId } = body as { requestId?: RequestId; commandId?: RequestId };
      return (requestId ?? commandId) as RequestId;
    };
    // As the session does: it says yes to all but the last, whose answer is lost, then ends.
    for (const answer of first.slice(0, -1))
      await settleRequest(api.database, { ...key, requestId: idOf(answer), outcome: { kind: 'accepted' } });
    const commandId = idOf(first[calls.length - 1] as Answer);
    await writer.beginTurn();
    await writer.commit([writer.event('command/done', { commandId, kind: 'success', text: 'ok' })]);
    await writer.endTurn();
    await api.database
      .updateTable('prompts')
      .set({ state: 'discarded' })
      .where('session_id', '=', key.session)
      .execute();
    expect((await send(lost)).body).toMatchObject({ accepted: 'delivered' });
    await writer.commit([], { status: 'closed' });
    const again = await Promise.all(calls.map(send));
    expect(again.map(({ status, body }, at) => [calls[at]?.[1], status < 300, body])).toEqual(
      calls.map(([, path], at) => [
        path,
        true,
        expect.objectContaining({ ...(first[at]?.body as object), accepted: 'delivered' }),
      ]),
    );
  });
});

test('a closed or broken session takes nothing, and says how to reopen it', async () => {
  for (const [status, code] of [
    ['closed', 'SESSION_CLOSED'],
    ['broken', 'SESSION_BROKEN'],
  ] as const) {
    const writer = await LogWriter.open(api.projection);
    await writer.commit([], { status });
    const path = `/v1/sessions/${writer.key.session}`;
    const calls: [string, string, object?][] = [
      ['POST', '/prompts', { content: 'a' }],
      ['POST', '/inject', { content: 'a' }],
      ['POST', '/cancel'],
      ['POST', '/interrupt'],
      ['PATCH', '/queue/p', { content: 'a' }],
      ['DELETE', '/queue/p'],
    ];
    for (const [method, verb, json] of calls) {
      const { status: answered, body } = await api.request(method, `${path}${verb}`, { ...(json && { json }) });
      expect([verb, answered, body]).toEqual([
        verb,
        409,
        { code, message: expect.stringContaining(`${path}/resume`), details: {} },
      ]);
    }
  }
});

test('without Temporal nothing is accepted, and nothing with a key is lost', { timeout: 120_000 }, async () => {
  const { key } = await LogWriter.open(api.projection);
  await temporal.kill9();
  const [keyed, bare, fresh] = await Promise.all([
    prompt(key.session, 'keep me', 'k-outage'),
    prompt(key.session, 'forget me'),
    api.request('POST', '/v1/sessions', { json: { prompt: 'never mind' } }),
  ]);
  for (const { status, headers, body } of [keyed, bare, fresh]) {
    expect([status, headers.get('retry-after'), body]).toEqual([
      503,
      '2',
      expect.objectContaining({ code: 'TEMPORAL_UNAVAILABLE' }),
    ]);
  }
  const rows = await api.database
    .selectFrom('prompts')
    .select(['state', 'entry'])
    .where('session_id', '=', key.session)
    .orderBy('position')
    .execute();
  const states = Object.fromEntries(
    rows.map(({ state, entry }) => [(JSON.parse(entry) as { preview: string }).preview, state]),
  );
  expect(states).toEqual({ 'keep me': 'accepted', 'forget me': 'discarded' });
  const ready = await fetch(`${api.url}/v1/health/ready`);
  expect([ready.status, ((await ready.json()) as { temporal: object }).temporal]).toEqual([
    503,
    { status: 'down', reason: expect.any(String) },
  ]);

  await temporal.start();
  const again = await waitFor(
    async () => {
      const answer = await prompt(key.session, 'keep me', 'k-outage');
      return answer.status === 202 && answer;
    },
    { what: 'Temporal to take the prompt', timeoutMs: 60_000 },
  );
  // A withdrawal of the other prompt, which may have come before Temporal died, can be there first.
  const [, message = {}] = (await signals(key.session)).find(([name]) => name === 'submitPrompt') ?? [];
  expect([message['requestId'], message['preview']]).toEqual([receipt(again).promptId, 'keep me']);
});
