import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnProcess, testDatabase, type TestDatabase } from '@everturn/core/testing';
import { startApi } from './support/api-under-test.ts';
import { LogWriter } from './support/log-writer.ts';
import { SseReader } from './support/sse-reader.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const nowhere = { address: '127.0.0.1:1', namespace: 'none' };

test('SIGTERM ends streams so that they can be resumed, and the process at once', async () => {
  const api = await startApi({ databaseUrl: database.url, temporal: nowhere });
  const writer = await LogWriter.open(api.projection);
  await writer.beginTurn();
  const session = await SseReader.open({ api, path: `/v1/sessions/${writer.key.session}/events` });
  const feed = await SseReader.open({ api, path: '/v1/events' });
  await session.until('the log', ({ seqs }) => seqs.length === 3);
  const began = Date.now();
  const status = await api.process.stop();
  await Promise.all([session.ended, feed.ended]);
  expect(status).toEqual({ code: 0, signal: null });
  expect(Date.now() - began).toBeLessThan(8_000);
  expect(session.live('stream/end')).toEqual([{ reason: 'shutdown', lastEventId: '2' }]);
  expect(feed.live('stream/end')).toEqual([{ reason: 'shutdown' }]);
  await api.stop();
});

test('who waits when SIGTERM comes is told how far it came, and what comes then is refused with a code', async () => {
  const api = await startApi({ databaseUrl: database.url });
  const writer = await LogWriter.open(api.projection);
  await writer.beginTurn();
  await writer.commit([], { status: 'running', openTurn: 1 });
  // What the process has begun to read, it waits for: the answer to what came before in the same piece says that it has.
  const { hostname, port } = new URL(api.url);
  const key = `authorization: Bearer ${await api.keyOf('acme')}`;
  const END = '\r\n\r\n';
  const begun = async (path: string, { now, later }: { now: string; later: string }) => {
    const socket = connect(Number(port), hostname);
    const head = (of: string) => [`GET ${of} HTTP/1.1`, 'host: a', key].join('\r\n');
    socket.write(`${head('/v1/health/live')}${END}${head(path)}${now}`);
    await once(socket, 'data');
    let answer = '';
    socket.on('data', (bytes) => (answer += String(bytes)));
    const closed = once(socket, 'close');
    return async () => {
      socket.write(later);
      await closed;
      return answer;
    };
  };
  const halfAsked = (path: string) => begun(path, { now: '', later: END });
  const [list, ready, live] = await Promise.all(['/v1/sessions', '/v1/health/ready', '/v1/health/live'].map(halfAsked));
  const before = await api.request('GET', '/v1/health/ready');
  expect([before.status, before.body]).toEqual([200, expect.objectContaining({ status: 'ready' })]);
  const waiting = await begun(`/v1/sessions/${writer.key.session}?whenIdle=60`, { now: END, later: '' });
  const stopping = api.process.stop();
  expect(await waiting()).toMatch(/^HTTP\/1\.1 200 .*"status":"running"/s);
  const refused = await list?.();
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  // In whichever order.
  for (const header of [/^connection: close\r$/im, /^retry-after: 2\r$/im]) expect(refused).toMatch(header);
  expect(refused).toMatch(/\r\n\r\n{"code":"SHUTTING_DOWN","message":"[^"]+","details":{}}$/);
  expect(await ready?.()).toMatch(/^HTTP\/1\.1 503 .*"status":"not-ready"/s);
  expect(await live?.()).toMatch(/^HTTP\/1\.1 200 .*"status":"live"/s);
  expect(await stopping).toEqual({ code: 0, signal: null });
  await api.stop();
});

test('a port that was asked for and is taken is refused; a default one is exchanged', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const asked = startApi({ databaseUrl: database.url, temporal: nowhere, env: { EVERTURN_API_PORT: String(port) } });
  await expect(asked).rejects.toThrow(`EVERTURN_API_PORT ${port} is taken`);
  await new Promise((resolve) => taken.close(resolve));

  const occupant = createServer((visitor) => visitor.destroy());
  // Whoever has the default port already serves as well.
  await new Promise<void>((resolve) => occupant.once('error', () => resolve()).listen(18_080, '127.0.0.1', resolve));
  const api = await startApi({ databaseUrl: database.url, temporal: nowhere, env: { EVERTURN_API_PORT: '' } });
  expect(api.process.ready).toEqual({ ready: true, port: expect.any(Number), mode: 'workspace-write' });
  expect(api.process.ready['port']).not.toBe(18_080);
  await api.stop();
  occupant.close();
});

test('tools without confinement are not offered to the network', async () => {
  const env = { EVERTURN_API_HOST: '0.0.0.0', EVERTURN_PERMISSION_MODE: 'danger-full-access' };
  const open = startApi({ databaseUrl: database.url, temporal: nowhere, env });
  await expect(open).rejects.toThrow('EVERTURN_API_HOST is 0.0.0.0, but tools run in the mode danger-full-access');
});

test('what is missing is named, without its value', async () => {
  const started = spawnProcess('apps/api/src/main.ts', {
    DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/x',
    TEMPORAL_ADDRESS: undefined,
  });
  const error = await started.then(
    () => new Error('it started'),
    (failure: Error) => failure,
  );
  expect(error.message).toMatch(/DATABASE_URL is wrong.*TEMPORAL_ADDRESS is not set/s);
  expect(error.message).not.toContain('hunter2');
});

test('it starts before its database does, and says so', async () => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
  const api = await startApi({ databaseUrl: database.url, temporal: nowhere, env });
  const { status, headers, body } = await api.request('GET', '/v1/sessions');
  expect([status, headers.get('retry-after'), body]).toEqual([
    503,
    '2',
    expect.objectContaining({ code: 'DATABASE_UNAVAILABLE' }),
  ]);
  await api.stop();
});

test('it reports what runs here, and no secret; neither does its process', async () => {
  const api = await startApi({ databaseUrl: database.url, temporal: nowhere });
  const { status, body } = await api.request('GET', '/v1/host');
  expect([status, body]).toEqual([
    200,
    {
      mode: 'workspace-write',
      versions: { api: expect.any(String), node: process.versions.node },
      providers: [],
      settings: expect.objectContaining({ api: expect.objectContaining({ host: '127.0.0.1' }) }),
      workers: [],
    },
  ]);
  const { password } = new URL(database.url);
  expect(JSON.stringify(body)).not.toContain(password);
  expect(readFileSync(`/proc/${api.process.pid}/environ`, 'utf8')).not.toContain(password);
  await api.stop();
});
