import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { openProjection } from '../src/projection/index.ts';
import { expectRebuilt } from './support/expect-rebuilt.ts';
import { expectSound } from './support/expect-sound.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

test('an exported session goes on under another name, its log as it was; what breaks a rule has no effect', async () => {
  const session = await stack.api.create(
    scripted(stack, 'moved', ({ messages }) => ({
      text: `${messages.filter(({ role }) => role === 'assistant').length} answers`,
    })),
  );
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  const zip = Buffer.from(
    await (await stack.api.fetch(`/v1/sessions/${session}/export?descendants=true`)).arrayBuffer(),
  );
  const bring = (query: string, body: Buffer | string, type = 'application/x-ndjson') =>
    stack.api.bring(`/v1/sessions/import?${query}`, body, type);
  const copy = `${session}-copy`;
  expect(await bring(`id=${copy}`, zip, 'application/zip')).toMatchObject({
    status: 201,
    body: { id: copy, preview: 'go', model: 'moved' },
  });
  expect((await bring(`id=${copy}`, zip, 'application/zip')).body).toMatchObject({ code: 'SESSION_EXISTS' });
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${copy}`)).body['status'] === 'idle', {
    what: 'the copy',
  });
  expect(await stack.api.events(copy)).toEqual(events);
  await stack.api.prompt(copy, 'on');
  const after = await stack.api.turnEnded(copy, 2);
  expect(after.slice(0, events.length)).toEqual(events);
  expect(after.findLast(({ type }) => type === 'assistant/message')?.data).toMatchObject({
    content: [{ type: 'text', text: '1 answers' }],
  });
  expect(after.find((event) => event.type === 'request/header' && event.seq >= events.length)?.data).toMatchObject({
    reason: 'resume',
  });
  await expectSound(stack, copy);
  const copied = events.filter(({ type }) => type !== 'assistant/chunk').length;
  await expectRebuilt(stack, openProjection({ database: stack.database, owner: 'test' }), copy, { copied });

  const quote = (...sessions: string[]) => stack.api.call('POST', `/v1/sessions/${session}/references`, { sessions });
  expect((await quote(session)).body['code']).toBe('SESSION_REFERENCE_SELF_REFERENCE');
  expect((await quote('nobody')).body['code']).toBe('SESSION_REFERENCE_INVALID_REFERENCE');
  expect((await quote(copy)).status).toBe(202);
  const quoted = (await stack.api.turnEnded(session, 2)).findLast(({ type }) => type === 'context/message');
  expect(quoted?.data).toMatchObject({
    source: { kind: 'plugin', plugin: 'session-reference' },
    content: [{ type: 'text', text: expect.stringContaining('{"role":"user","text":"on"}') }],
  });

  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  const wrong = `${copy}-wrong`;
  expect(await bring(`id=${wrong}`, lines.toSpliced(2, 1).join(''))).toMatchObject({
    status: 400,
    body: { code: 'IMPORT_REFUSED', details: { entry: 'events.jsonl', line: 3, rule: 'IMPORT_CORRUPT_LOG' } },
  });
  expect((await stack.api.call('GET', `/v1/sessions/${wrong}`)).status).toBe(404);
  expect((await stack.api.bring('/v1/sessions', 'x', 'application/zip')).status).toBe(415);
  // What the crash of another deployment left open is closed.
  const open = lines.slice(
    0,
    events.findIndex(({ type }) => type === 'step/end'),
  );
  expect((await bring(`id=${wrong}`, open.join(''))).status).toBe(201);
  await waitFor(async () => (await stack.api.events(wrong)).at(-1)?.type === 'turn/end', { what: 'the end' });
  expect((await stack.api.events(wrong)).at(-1)?.data).toEqual({ turn: 1, reason: { kind: 'interrupted' } });
});
