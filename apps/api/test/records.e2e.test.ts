import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  attachmentsOf,
  imageTypeOf,
  type AttachmentId,
  type ImageBlock,
  type SessionEvent,
  type TenantId,
} from '@everturn/core/domain';
import { readAttachment } from '@everturn/core/postgres';
import { noisePng, testDatabase, waitFor, type TestDatabase } from '@everturn/core/testing';
import { readZip } from '../src/import/read-zip.ts';
import { startApi, type ApiUnderTest } from './support/api-under-test.ts';
import { archive } from './support/archive.ts';
import { problem } from './support/bad-requests.ts';
import { LogWriter } from './support/log-writer.ts';
import { SseReader } from './support/sse-reader.ts';

let database: TestDatabase;
let api: ApiUnderTest;
beforeAll(async () => {
  database = await testDatabase();
  api = await startApi({
    databaseUrl: database.url,
    env: { EVERTURN_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
  });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const provenance = { provider: 'p', model: 'm' };
const append = { surfaceOp: 'append' } as const;
const at = { turn: 1, step: 1 };
const answer = (writer: LogWriter, words: string) =>
  writer.event('assistant/message', { ...at, content: [{ type: 'text', text: words }], provenance }, 0, {
    ...append,
    sources: [],
  });

test('feedback: by compare and set, on answers only, and nobody else’s to see', async () => {
  const writer = await LogWriter.open(api.projection);
  await writer.beginTurn();
  await writer.commit([answer(writer, 'hi')]);
  const path = `/v1/sessions/${writer.key.session}/feedback`;
  const put = async (seq: number, json: object, tenant = 'acme') => {
    const { status, body } = await api.request('PUT', `${path}/${seq}`, { json, tenant });
    return { status, body };
  };
  expect(await put(3, { rating: 'positive', note: 'good', ifVersion: null })).toEqual({
    status: 200,
    body: { version: 1 },
  });
  expect(await put(3, { rating: 'negative', ifVersion: null })).toMatchObject({
    status: 409,
    body: { code: 'FEEDBACK_VERSION_CONFLICT', details: { expected: null, actual: 1 } },
  });
  expect(await put(3, { rating: 'negative', ifVersion: 1 })).toEqual({ status: 200, body: { version: 2 } });
  expect((await api.request('GET', path)).body).toEqual({ feedback: [{ seq: 3, rating: 'negative', version: 2 }] });
  expect(await put(1, { rating: 'positive' })).toMatchObject({
    status: 404,
    body: problem('FEEDBACK_TARGET_NOT_FOUND'),
  });
  expect(await put(3, { rating: 'positive', note: ' \n' })).toMatchObject({
    status: 400,
    body: problem('FEEDBACK_NOTE_BLANK'),
  });
  expect(await put(3, { rating: 'positive', note: 'ä'.repeat(4_097) })).toMatchObject({
    status: 400,
    body: problem('FEEDBACK_NOTE_TOO_LARGE'),
  });
  expect(await put(3, { rating: 'fine' })).toEqual({ status: 400, body: problem('INVALID_REQUEST', 'body.rating') });
  expect(await put(3, { rating: 'positive' }, 'other')).toMatchObject({
    status: 404,
    body: problem('SESSION_NOT_FOUND'),
  });
  for (let times = 0; times < 2; times += 1) expect((await api.request('DELETE', `${path}/3`)).status).toBe(204);
  expect((await api.request('GET', path)).body).toEqual({ feedback: [] });
});

test('sessions that cannot be quoted are refused by a code of their own', async () => {
  const [reader, long, foreign] = [
    await LogWriter.open(api.projection),
    await LogWriter.open(api.projection),
    await LogWriter.open(api.projection, 'other'),
  ];
  await long.beginTurn('x'.repeat(70_000));
  const { session } = reader.key;
  const refused = async (...sessions: string[]) => {
    const { status, body } = await api.request('POST', `/v1/sessions/${session}/references`, { json: { sessions } });
    return [status, (body as { code: string }).code];
  };
  expect(await refused('a', 'b', 'c', 'd', 'e', 'f')).toEqual([400, 'SESSION_REFERENCE_TOO_MANY']);
  expect(await refused(long.key.session)).toEqual([400, 'SESSION_REFERENCE_BUDGET_EXCEEDED']);
  expect(await refused(session)).toEqual([400, 'SESSION_REFERENCE_SELF_REFERENCE']);
  expect(await refused(foreign.key.session)).toEqual([404, 'SESSION_REFERENCE_INVALID_REFERENCE']);
  expect(await refused()).toEqual([400, 'INVALID_REQUEST']);
});

test('whoever follows a tenant hears that its settings or keys changed, and only of real changes', async () => {
  const tenant = 'settled';
  const reader = await SseReader.open({ api, path: '/v1/events', tenant });
  const patch = (json: object, of = tenant) => api.request('PATCH', '/v1/settings/prompt', { json, tenant: of });
  const heard = () => reader.frames.map(({ event, data }) => [event, data]);
  // It follows once it was told of something.
  await waitFor(async () => (await patch({ patch: { instructionsBytes: Date.now() % 1_000 } })) && heard().length > 0, {
    what: 'the first notice',
    everyMs: 50,
  });
  const { revision } = (await patch({ patch: { instructionsBytes: 5_000 } })).body as { revision: number };
  await reader.until('the last change', () =>
    heard().some(([, data]) => (data as { revision: number }).revision === revision),
  );
  const before = heard().length;
  expect((await patch({ patch: { instructionsBytes: 5_000 } })).body).toMatchObject({ changed: false, revision });
  expect(await patch({ patch: { persona: 'in {{cwd}}' } })).toMatchObject({
    status: 400,
    body: { code: 'SETTINGS_REJECTED' },
  });
  expect(await patch({ patch: {}, expectedRevision: revision + 1 })).toMatchObject({
    status: 409,
    body: { details: { expected: revision + 1, actual: revision } },
  });
  await patch({ patch: { instructionsBytes: 1 } }, 'somebody-else');
  await api.request('PUT', '/v1/credentials/TEAM_KEY', { json: { value: 'sk-hunter2' }, tenant });
  await reader.until('the key', () => heard().length === before + 1);
  await api.request('DELETE', '/v1/credentials/TEAM_KEY', { tenant });
  await reader.until('that it is gone', () => heard().length === before + 2);
  expect(heard().slice(before)).toEqual([
    ['credentials/reference-updated', { ref: 'TEAM_KEY', stored: true }],
    ['credentials/reference-updated', { ref: 'TEAM_KEY', stored: false }],
  ]);
  expect(heard().every(([event], n) => n >= before || event === 'settings/updated')).toBe(true);
  expect(reader.text).not.toMatch(/hunter2|^id:/m);
  await reader.close();
});

test('an export holds the session and all below it, each log as it reads, and each of them comes back', async () => {
  const stored = await api.request('POST', '/v1/attachments', {
    raw: noisePng(3, 3),
    headers: { 'content-type': 'image/png' },
  });
  const image = stored.body as unknown as ImageBlock;
  const picture = `attachments/${image.attachmentId}.png`;
  const [above, below] = [await LogWriter.open(api.projection), await LogWriter.open(api.projection)];
  for (const [writer, words] of [
    [above, 'see to it'],
    [below, 'a part of it'],
  ] as const) {
    await writer.beginTurn(words);
    await writer.commit([writer.event('context/message', { content: [image], source: { kind: 'user' } }, 0, append)]);
    await writer.endTurn();
  }
  const [root, child] = [above.key.session, below.key.session];
  await api.database.updateTable('sessions').set({ parent_id: root }).where('id', '=', child).execute();
  const exported = async (query: string) => {
    const headers = { authorization: `Bearer ${await api.keyOf('acme')}` };
    const response = await fetch(`${api.url}/v1/sessions/${root}/export${query}`, { headers });
    const names = ['', `descendants/${child}/`].flatMap((folder) => [`${folder}session.json`, `${folder}events.jsonl`]);
    return readZip(Buffer.from(await response.arrayBuffer()), { names: [...names, picture], maxBytes: 1_000_000 });
  };
  expect([...(await exported('')).keys()]).toEqual(['session.json', 'events.jsonl', picture]);
  const head = await api.request('HEAD', `/v1/sessions/${root}/export`);
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = await exported('?descendants=true');
  expect(imageTypeOf(files.get(picture) as Uint8Array)).toBe('image/png');
  for (const [id, folder, words] of [
    [root, '', 'see to it'],
    [child, `descendants/${child}/`, 'a part of it'],
  ] as const) {
    const about = JSON.parse(files.get(`${folder}session.json`)?.toString() ?? '') as object;
    const lines = files.get(`${folder}events.jsonl`)?.toString().trimEnd().split('\n') ?? [];
    const events = lines.map((line) => JSON.parse(line) as object);
    expect(about).toMatchObject({ header: { id }, gaps: [] });
    expect({ events, next: null, head: 5 }).toEqual((await api.request('GET', `/v1/sessions/${id}/events`)).body);
    const back = await api.request('POST', `/v1/sessions/import?id=${id}-back`, {
      raw: new Uint8Array(await archive({ 'session.json': about, 'events.jsonl': events })),
      headers: { 'content-type': 'application/zip' },
    });
    expect(back).toMatchObject({ status: 201, body: { id: `${id}-back`, preview: words } });
  }
});

test('an import stands on what its tenant has: the session above it, its pictures; of an archive the session named', async () => {
  const source = { kind: 'user' } as const;
  const picture = noisePng(2, 2);
  const stored = await api.request('POST', '/v1/attachments', {
    raw: picture,
    headers: { 'content-type': 'image/png' },
  });
  const image = stored.body as unknown as ImageBlock;
  const log = (...content: object[]): SessionEvent[] =>
    [
      { type: 'turn/start', seq: 0, time: 1, data: { turn: 1, trigger: { kind: 'message', source } } },
      { type: 'user/message', seq: 1, time: 1, data: { content, source }, surfaceOp: 'append' },
      { type: 'turn/end', seq: 2, time: 2, data: { turn: 1, reason: { kind: 'completed' } } },
    ] as SessionEvent[];
  const header = { version: 0, id: 'moved', createdAt: 1 };
  const bring = async (files: Parameters<typeof archive>[0], query = '', tenant = 'acme') => {
    const { status, body } = await api.request('POST', `/v1/sessions/import${query}`, {
      raw: new Uint8Array(await archive(files)),
      headers: { 'content-type': 'application/zip' },
      tenant,
    });
    return { status, body };
  };
  const below = {
    'session.json': { header: { ...header, parentSession: 'gone' } },
    'events.jsonl': log({ type: 'text', text: 'a' }),
  };
  expect(await bring(below)).toMatchObject({
    status: 400,
    body: { code: 'IMPORT_REFUSED', details: { entry: 'session.json', rule: 'IMPORT_FOREIGN_ID' } },
  });
  expect(await bring(below, '?parent=drop&id=orphan')).toMatchObject({
    status: 201,
    body: { id: 'orphan', preview: 'a' },
  });
  const child = { ...below, 'session.json': { header: { ...header, id: 'child', parentSession: 'orphan' } } };
  expect(await bring(child)).toMatchObject({ status: 201, body: { id: 'child', parent: 'orphan' } });
  expect(await bring(child, '?id=theirs', 'other')).toMatchObject({ status: 400 });

  const shown = { 'session.json': { header: { ...header, id: 'shown' } }, 'events.jsonl': log(image) };
  expect(await bring(shown, '', 'other')).toMatchObject({
    status: 400,
    body: { details: { entry: 'events.jsonl', line: 2, rule: 'IMPORT_FOREIGN_ID' } },
  });
  // Another deployment gives what comes along a name of its own; so do other tenants.
  const name = `attachments/${image.attachmentId}.png`;
  const taken = { ...shown, 'session.json': { header: { ...header, id: 'taken' } } };
  expect(await bring({ ...taken, [name]: Buffer.from('no picture') }, '', 'other')).toMatchObject({
    status: 400,
    body: { details: { rule: 'IMPORT_INVALID_PICTURE' } },
  });
  expect((await api.request('GET', '/v1/sessions/taken', { tenant: 'other' })).status).toBe(404);
  expect(await bring({ ...taken, [name]: Buffer.from(picture) }, '', 'other')).toMatchObject({ status: 201 });
  const { rows } = await sql<{ lines: string }>`
    select lines from session_imports where session_id = 'taken'`.execute(api.database);
  const [, kept] = (rows[0]?.lines ?? '').split('\n').map((line) => JSON.parse(line) as SessionEvent);
  expect(kept?.data).toEqual({
    content: [{ ...image, attachmentId: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    source,
  });
  const own = [...attachmentsOf(kept ? [kept] : []).keys()][0] as AttachmentId;
  expect(own).not.toBe(image.attachmentId);
  expect((await readAttachment(api.database, 'other' as TenantId, own))?.bytes).toEqual(Buffer.from(picture));
  // What lies below a session in its archive is read by nobody, however wrong it is.
  const tree = { ...shown, 'descendants/x/session.json': {}, 'descendants/x/events.jsonl': [{}] };
  expect(await bring(tree)).toMatchObject({ status: 201, body: { id: 'shown' } });
  expect((await api.request('GET', '/v1/sessions/x')).status).toBe(404);
  expect(await bring({ 'events.jsonl': log() })).toMatchObject({
    status: 400,
    body: { details: { rule: 'IMPORT_INCOMPLETE' } },
  });
});
