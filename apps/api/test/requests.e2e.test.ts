import { Readable } from 'node:stream';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { testDatabase, waitFor, type TestDatabase } from '@everturn/core/testing';
import { startApi, type ApiUnderTest } from './support/api-under-test.ts';
import { BAD_PICTURES } from './support/bad-pictures.ts';
import { BAD_REQUESTS, problem } from './support/bad-requests.ts';
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
  const counts = ['sessions', 'prompts', 'idempotency', 'requests', 'sent_requests', 'blobs', 'attachments'] as const;
  const rows = counts.map(async (table) => {
    const { count } = await api.database
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return [table, count];
  });
  return Object.fromEntries(await Promise.all(rows));
}

describe('a request that cannot be taken names the field, and leaves nothing behind', () => {
  test.each([...BAD_REQUESTS, ...BAD_PICTURES])('%s', async (_what, request, status, body) => {
    const before = await footprint();
    const [method, path, options] = request({
      session,
      prompts: `/v1/sessions/${session}/prompts`,
      folder: api.folder,
    });
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
      ['GET', '?whenIdle=1'],
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
      ['GET', '/feedback'],
      ['PUT', '/feedback/1', { rating: 'positive' }],
      ['DELETE', '/feedback/1'],
      ['POST', '/references', { sessions: ['s'] }],
      ['GET', '/projections'],
      ['GET', '/export'],
      ['GET', '/model'],
      ['GET', '/skills'],
      ['GET', '/plan'],
      ['GET', '/goal'],
      ['GET', '/permissions'],
      ['GET', '/children'],
      ['POST', '/children/c/prompts', { content: 'a' }],
      ['POST', '/children/c/interrupt'],
      ['GET', '/tree'],
      ['PUT', '/title', { title: 'a' }],
      ['POST', '/compact'],
      ['POST', '/fork'],
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
  /** Sends the head of a request alone. */
  function sendHead(path: string, ...headers: string[]) {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write([`POST ${path} HTTP/1.1`, 'host: a', ...headers, '', ''].join('\r\n'));
    const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    return { answer, close: () => socket.destroy() };
  }
  async function answerToHead(path: string, ...headers: string[]): Promise<string> {
    const { answer, close } = sendHead(path, ...headers);
    return answer.finally(close);
  }
  const MIB = 1024 * 1024;

  test('a body over 16 MiB is refused by its header, before it is sent', async () => {
    const key = `authorization: Bearer ${await api.keyOf('acme')}`;
    const length = `content-length: ${16 * MIB + 1}`;
    const answer = await answerToHead(`/v1/sessions/${session}/prompts`, key, 'content-type: application/json', length);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"BODY_TOO_LARGE"');
  });

  test.each([
    ['an import without a key', '/v1/sessions/import', 'application/zip', '', 401],
    ['JSON with a key that is none', '/v1/sessions', 'application/json', 'evt_nothing', 401],
    ['a ZIP where JSON belongs', '/v1/sessions', 'application/zip', 'acme', 415],
    ['JSON where an export belongs', '/v1/sessions/import', 'application/json', 'acme', 415],
    ['a body for no route', '/v1/nothing', 'application/json', '', 404],
  ])('%s is refused before any of it is read', async (_what, path, type, key, status) => {
    const headers = [`content-type: ${type}`, `content-length: ${8 * MIB}`];
    if (key !== '') headers.push(`authorization: Bearer ${key === 'acme' ? await api.keyOf(key) : key}`);
    expect(await answerToHead(path, ...headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('imports are lined up before they are read: a tenant’s second is sent away at once, others find room, and who goes makes it', async () => {
    const head = async (tenant: string) => {
      const key = `authorization: Bearer ${await api.keyOf(tenant)}`;
      return sendHead('/v1/sessions/import', 'content-type: application/zip', `content-length: ${8 * MIB}`, key);
    };
    const all = await Promise.all(Array.from({ length: 5 }, () => head('acme')));
    const refused = await Promise.race(all.map(({ answer }) => answer));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toMatch(/^connection: close\r$/im);
    expect(refused).toContain('"code":"IMPORT_BUSY"');
    const bring = (tenant: string) =>
      api.request('POST', '/v1/sessions/import', {
        tenant,
        raw: 'no log',
        headers: { 'content-type': 'application/x-ndjson' },
      });
    expect([(await bring('other')).status, (await bring('acme')).status]).toEqual([400, 429]);
    for (const { close } of all) close();
    const room = async () => [await bring('acme')].find(({ status }) => status !== 429);
    const { status, body } = await waitFor(room, { what: 'room' });
    expect([status, (body as { code: string }).code]).toEqual([400, 'IMPORT_REFUSED']);
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

test('a create that is refused because its id is a fork’s is refused again, and leaves no message there', async () => {
  const [tenant, id] = ['acme' as TenantId, 'made-otherwise' as SessionId];
  const options = { metadata: { a: 1 } };
  await startSessionRow(api.database, { tenant, session: id, header: { version: 0, id, createdAt: 1 }, options });
  await api.database.updateTable('sessions').set({ status: 'idle', generation: 1 }).where('id', '=', id).execute();
  const before = await footprint();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, body } = await api.request('POST', '/v1/sessions', { json: { id, ...options, prompt: 'hi' } });
    expect([status, (body as { code: string }).code]).toEqual([409, 'SESSION_EXISTS']);
    expect(await footprint()).toEqual(before);
  }
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

test('a search goes on page by page where it was, is its tenant’s, and refuses what cannot be asked', async () => {
  const [here, there] = [await LogWriter.open(api.projection, 'finder'), await LogWriter.open(api.projection, 'other')];
  for (const writer of [here, there]) {
    await writer.beginTurn('a needle in a haystack');
    const said = { turn: 1, step: 1, content: [{ type: 'text' as const, text: 'the needle, the needle' }] };
    const provenance = { provider: 'p', model: 'm' };
    await writer.commit([
      writer.event('assistant/message', { ...said, provenance }, 0, { surfaceOp: 'append', sources: [] }),
    ]);
    await writer.endTurn();
  }
  const search = async (query: string) => {
    const { status, body } = await api.request('GET', `/v1/search?${query}`, { tenant: 'finder' });
    return { status, ...(body as { hits: { session: string; seq: number }[]; next: string | null; code: string }) };
  };
  const places = ({ hits }: { hits: { session: string; seq: number }[] }) => hits.map((hit) => [hit.session, hit.seq]);
  const own = here.key.session;
  expect(places(await search('q=NEEDLE'))).toEqual([
    [own, 3],
    [own, 1],
  ]);
  const first = await search('q=needle&limit=1');
  const rest = await search(`q=needle&limit=1&cursor=${encodeURIComponent(first.next ?? '')}`);
  expect([places(first), places(rest), rest.next]).toEqual([[[own, 3]], [[own, 1]], null]);
  expect(places(await search(`q=needle&session=${own}&types=user/message&toSeq=2`))).toEqual([[own, 1]]);
  expect(places(await search(`q=needle&session=${there.key.session}`))).toEqual([]);
  expect(await search(`q=haystack&cursor=${encodeURIComponent(first.next ?? '')}`)).toMatchObject({
    status: 400,
    code: 'SESSION_QUERY_INVALID_CURSOR',
  });
  expect(await search('q=needle&limit=101')).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  expect(await search('q=%25')).toMatchObject({ status: 400, code: 'SESSION_QUERY_INVALID_QUERY' });
});
