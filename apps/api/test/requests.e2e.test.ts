import { Readable } from 'node:stream';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
async function footprint(): Promise<unknown> {
  const counts = ['sessions', 'prompts', 'idempotency', 'requests', 'sent_requests', 'blobs'] as const;
  const rows = counts.map(async (table) => {
    const { count } = await api.database
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return [table, count];
  });
  return Object.fromEntries(await Promise.all(rows));
}

const problem = (code: string, ...fields: string[]) => ({
  code,
  message: expect.any(String),
  details:
    fields.length === 0
      ? expect.any(Object)
      : { issues: fields.map((field) => ({ field, message: expect.any(String) })) },
});

describe('a request that cannot be taken names the field, and leaves nothing behind', () => {
  const prompts = () => `/v1/sessions/${session}/prompts`;
  const text = (value: string) => [{ type: 'text', text: value }];

  test.each<[string, () => [string, string, object], number, object]>([
    ['JSON that is none', () => ['POST', prompts(), { raw: '{"content": ' }], 400, problem('INVALID_JSON')],
    [
      'bytes that are no UTF-8',
      () => ['POST', prompts(), { raw: new Uint8Array([0x22, 0xff, 0x22]) }],
      400,
      problem('INVALID_JSON'),
    ],
    ['no body', () => ['POST', prompts(), {}], 400, problem('INVALID_REQUEST', 'body')],
    [
      'another media type',
      () => ['POST', prompts(), { raw: 'content=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
      415,
      problem('UNSUPPORTED_MEDIA_TYPE'),
    ],
    [
      'a wrong type',
      () => ['POST', prompts(), { json: { content: 5 } }],
      400,
      problem('INVALID_REQUEST', 'body.content'),
    ],
    [
      'an unknown field',
      () => ['POST', prompts(), { json: { content: 'a', colour: 1 } }],
      400,
      problem('INVALID_REQUEST', 'body.colour'),
    ],
    [
      'empty content',
      () => ['POST', prompts(), { json: { content: ' \n' } }],
      400,
      problem('EMPTY_CONTENT', 'body.content'),
    ],
    [
      'no content at all',
      () => ['POST', prompts(), { json: { content: [] } }],
      400,
      problem('EMPTY_CONTENT', 'body.content'),
    ],
    [
      'a NUL character',
      () => ['POST', prompts(), { json: { content: 'a\0b' } }],
      400,
      problem('INVALID_CHARACTERS', 'body.content'),
    ],
    [
      'a NUL in a block',
      () => ['POST', prompts(), { json: { content: [...text('ok'), ...text('\0')] } }],
      400,
      problem('INVALID_CHARACTERS', 'body.content[1].text'),
    ],
    [
      'half an emoji',
      () => ['POST', prompts(), { raw: '{"content":"\\ud83d"}' }],
      400,
      problem('INVALID_CHARACTERS', 'body.content'),
    ],
    [
      'a NUL in a member name',
      () => ['POST', '/v1/sessions', { raw: '{"metadata":{"a\\u0000":1}}' }],
      400,
      problem('INVALID_CHARACTERS', 'body.metadata["a\\u0000"]'),
    ],
    [
      'a prototype',
      () => ['POST', '/v1/sessions', { raw: '{"metadata":{"__proto__":{"a":1}}}' }],
      400,
      problem('INVALID_CHARACTERS', 'body.metadata["__proto__"]'),
    ],
    [
      'a number JSON loses',
      () => ['POST', '/v1/sessions', { raw: '{"metadata":{"a":-0}}' }],
      400,
      problem('INVALID_REQUEST', 'body.metadata'),
    ],
    [
      'too deep a nesting',
      () => ['POST', '/v1/sessions', { raw: `{"metadata":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}` }],
      400,
      problem('INVALID_CHARACTERS'),
    ],
    [
      'an id with a slash',
      () => ['POST', '/v1/sessions', { json: { id: 'a/b' } }],
      400,
      problem('INVALID_REQUEST', 'body.id'),
    ],
    [
      'an id that is too long',
      () => ['POST', '/v1/sessions', { json: { id: 'a'.repeat(129) } }],
      400,
      problem('INVALID_REQUEST', 'body.id'),
    ],
    ['an id in the path', () => ['GET', '/v1/sessions/a%00b', {}], 400, problem('INVALID_CHARACTERS', 'path.id')],
    ['a broken escape', () => ['GET', '/v1/sessions/%zz', {}], 400, problem('INVALID_REQUEST')],
    [
      'a workspace elsewhere',
      () => ['POST', '/v1/sessions', { json: { workspace: '/etc' } }],
      400,
      problem('WORKSPACE_NOT_ALLOWED', 'body.workspace'),
    ],
    [
      'a workspace that climbs',
      () => ['POST', '/v1/sessions', { json: { workspace: `${api.folder}/workspaces/../../etc` } }],
      400,
      problem('INVALID_REQUEST', 'body.workspace'),
    ],
    [
      'a relative workspace',
      () => ['POST', '/v1/sessions', { json: { workspace: 'work' } }],
      400,
      problem('INVALID_REQUEST', 'body.workspace'),
    ],
    [
      'a temperature of 9',
      () => ['POST', '/v1/sessions', { json: { temperature: 9 } }],
      400,
      problem('INVALID_REQUEST', 'body.temperature'),
    ],
    [
      'an idempotency key with a space',
      () => ['POST', prompts(), { json: { content: 'a' }, headers: { 'idempotency-key': 'a b' } }],
      400,
      problem('INVALID_REQUEST', 'header.idempotency-key'),
    ],
    [
      'a wait of an hour',
      () => ['POST', `${prompts()}?wait=3600`, { json: { content: 'a' } }],
      400,
      problem('INVALID_REQUEST', 'query.wait'),
    ],
    [
      'an unknown time zone',
      () => ['POST', prompts(), { json: { content: 'a', clientTimeZone: 'Mars/Base' } }],
      400,
      problem('INVALID_REQUEST', 'body.clientTimeZone'),
    ],
    [
      'a cursor of our own invention',
      () => ['GET', '/v1/sessions?cursor=abc', {}],
      400,
      problem('INVALID_CURSOR', 'query.cursor'),
    ],
    [
      'a status nobody has',
      () => ['GET', '/v1/sessions?status=idle,happy', {}],
      400,
      problem('INVALID_REQUEST', 'query.status[1]'),
    ],
    [
      'a query parameter nobody knows',
      () => ['GET', '/v1/sessions?colour=red', {}],
      400,
      problem('INVALID_REQUEST', 'query.colour'),
    ],
    [
      'a page before the log',
      () => ['GET', `/v1/sessions/${session}/events?after=-2`, {}],
      400,
      problem('INVALID_REQUEST', 'query.after'),
    ],
    [
      'a Last-Event-ID that is none',
      () => [
        'GET',
        `/v1/sessions/${session}/events`,
        { headers: { accept: 'text/event-stream', 'last-event-id': 'x' } },
      ],
      400,
      problem('INVALID_LAST_EVENT_ID', 'header.last-event-id'),
    ],
    [
      'a Last-Event-ID of the future',
      () => [
        'GET',
        `/v1/sessions/${session}/events`,
        { headers: { accept: 'text/event-stream', 'last-event-id': '7' } },
      ],
      400,
      problem('INVALID_LAST_EVENT_ID', 'header.last-event-id'),
    ],
    [
      'a feed position of our own invention',
      () => ['GET', '/v1/events', { headers: { 'last-event-id': '7' } }],
      400,
      problem('INVALID_LAST_EVENT_ID', 'header.last-event-id'),
    ],
    [
      'an unknown session',
      () => ['POST', '/v1/sessions/nobody/prompts', { json: { content: 'a' } }],
      404,
      problem('SESSION_NOT_FOUND'),
    ],
    ['an unknown route', () => ['GET', '/v1/nothing', {}], 404, problem('ROUTE_NOT_FOUND')],
    [
      'an unknown prompt',
      () => ['DELETE', `/v1/sessions/${session}/queue/nothing`, {}],
      404,
      problem('PROMPT_NOT_FOUND'),
    ],
    [
      'an unknown request',
      () => ['GET', `/v1/sessions/${session}/requests/nothing`, {}],
      404,
      problem('REQUEST_NOT_FOUND'),
    ],
    [
      'an unknown approval',
      () => ['POST', `/v1/sessions/${session}/approvals/nothing`, { json: { decision: 'allow' } }],
      404,
      problem('INTERACTION_NOT_FOUND'),
    ],
    [
      'a decision that is none',
      () => ['POST', `/v1/sessions/${session}/approvals/nothing`, { json: { decision: 'maybe' } }],
      400,
      problem('INVALID_REQUEST', 'body.decision'),
    ],
  ])('%s', async (_what, request, status, body) => {
    const before = await footprint();
    const [method, path, options] = request();
    const answer = await api.request(method, path, options);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
    expect(await footprint()).toEqual(before);
  });
});

describe('who may ask', () => {
  test.each([
    ['without a key', {}],
    ['with a key that is none', { authorization: 'Bearer evt_nothing' }],
    ['with another scheme', { authorization: 'Basic YTpi' }],
  ])('nobody %s', async (_what, headers) => {
    const response = await fetch(`${api.url}/v1/sessions`, { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await response.json()).toEqual(problem('UNAUTHENTICATED'));
  });

  test('a foreign session looks exactly like one that does not exist', async () => {
    const routes: [string, string, object?][] = [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/events'],
      ['GET', '/messages'],
      ['GET', '/transcript'],
      ['GET', '/effects'],
      ['GET', '/interactions'],
      ['POST', '/prompts', { content: 'a' }],
      ['POST', '/inject', { content: 'a' }],
      ['POST', '/cancel'],
      ['POST', '/interrupt'],
      ['POST', '/resume'],
      ['PATCH', '/queue/p', { content: 'a' }],
      ['DELETE', '/queue/p'],
      ['GET', '/requests/r'],
      ['POST', '/approvals/a', { decision: 'deny' }],
    ];
    for (const [method, path, json] of routes) {
      const options = { tenant: 'other', ...(json && { json }) };
      const foreign = await api.request(method, `/v1/sessions/${session}${path}`, options);
      const unknown = await api.request(method, `/v1/sessions/nobody${path}`, options);
      expect([method, path, foreign.status]).toEqual([method, path, 404]);
      expect(JSON.stringify(foreign.body).replaceAll(session, 'nobody')).toBe(JSON.stringify(unknown.body));
    }
  });

  test('the health of the process and what it serves are public, and hold no secret', async () => {
    for (const path of ['/v1/health/live', '/v1/health/ready', '/metrics', '/v1/openapi.json']) {
      const response = await fetch(`${api.url}${path}`);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      expect(text).not.toContain(new URL(database.url).password);
    }
  });
});

describe('large bodies', () => {
  test('a body over 16 MiB is refused by its header, before it is sent', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const key = await api.keyOf('acme');
    socket.write(
      `POST /v1/sessions/${session}/prompts HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${16 * 1024 * 1024 + 1}\r\n\r\n`,
    );
    const answer = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"BODY_TOO_LARGE"');
  });

  test('and without a header as soon as it grows past', async () => {
    let sent = 0;
    const body = Readable.toWeb(
      Readable.from(
        (function* () {
          for (; sent < 64; sent += 1) yield Buffer.alloc(1024 * 1024, 0x20);
        })(),
      ),
    );
    const outcome = await api
      .request('POST', `/v1/sessions/${session}/prompts`, { raw: body as unknown as NonNullable<RequestInit['body']> })
      .then(
        ({ status }) => status,
        () => 'cut',
      );
    expect([413, 'cut']).toContain(outcome);
    expect(sent).toBeLessThan(40);
  });
});

test('lists page by cursor, newest first, each session once, and filter', async () => {
  const tenant = 'pages';
  const metadata = (n: number) => ({ n, group: n % 2 === 0 ? 'even' : 'odd', quote: `it's "100%" _` });
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    const { status, body } = await api.request('POST', '/v1/sessions', { tenant, json: { metadata: metadata(n) } });
    expect(status).toBe(201);
    ids.unshift((body as { id: string }).id);
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await api.request('GET', `/v1/sessions?limit=3${cursor}`, { tenant });
    const { sessions, next } = body as { sessions: { id: string }[]; next: string | null };
    seen.push(...sessions.map(({ id }) => id));
    cursor = next === null ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  expect(seen).toEqual(ids);

  const filtered = async (query: string) => {
    const { body } = await api.request('GET', `/v1/sessions?${query}`, { tenant });
    return (body as { sessions: { metadata: { n: number } }[] }).sessions.map((found) => found.metadata.n);
  };
  expect(await filtered(`metadata=${encodeURIComponent('{"group":"odd"}')}`)).toEqual([5, 3, 1]);
  expect(await filtered(`metadata=${encodeURIComponent(`{"quote":"it's \\"100%\\" _"}`)}&limit=2`)).toEqual([6, 5]);
  expect(await filtered('status=closed,broken')).toEqual([]);
  expect(await filtered('status=starting&createdAfter=2020-01-01T00:00:00Z')).toEqual([6, 5, 4, 3, 2, 1, 0]);
  expect(await filtered('createdBefore=2020-01-01T00:00:00Z')).toEqual([]);
});
