import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { noisePng } from '@everturn/core/testing';
import { fetchRun } from '../src/projection/histories/walk-histories.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { closed } from './support/script-runs.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const CALLS = 70;

/** Writes many files, then reads them all at once: each argument and result just too small to travel by reference. */
const writesThenReads =
  (folder: string) =>
  ({ messages }: RequestView): ScriptAnswer => {
    const paths = Array.from({ length: CALLS }, (_, index) => join(folder, `heavy-${index}.txt`));
    const steps = messages.filter(({ role }) => role === 'assistant').length;
    if (steps >= 2) return { text: 'done' };
    return {
      toolCalls: paths.map((file_path) =>
        steps === 0
          ? { name: 'write', arguments: { file_path, content: `${'y'.repeat(1_000)}\n`.repeat(30) } }
          : { name: 'read', arguments: { file_path } },
      ),
    };
  };

test('seventy calls of 30 kB at once and as many results: no payload is too large', async () => {
  const session = await stack.api.create(scripted(stack, 'heavy', writesThenReads(stack.workspace)));
  await stack.api.prompt(session, 'go');
  const lines = logLines(await stack.api.turnEnded(session));
  expect(lines.filter((line) => line.endsWith(' ok')).length).toBe(2 * CALLS);
  expect(lines.at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
  expect(await largestPayload(session)).toBeLessThan(512 * 1024);
});

test('calls that cannot be made, one of a megabyte among them: each is answered, nothing on the disk changes, and the turn goes on', async () => {
  const folder = join(stack.workspace, 'refused');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'a.txt');
  const outside = '/var/tmp/everturn-refused.txt';
  const large = 'x'.repeat(1_000_000);
  type Arguments = NonNullable<ScriptAnswer['toolCalls']>[number]['arguments'];
  const calls: [name: string, args: Arguments, code: string, text: string][] = [
    ['rm', { path }, 'UNKNOWN_TOOL', 'unknown tool "rm"'],
    ['write', 'not JSON', 'INVALID_ARGS', 'invalid arguments: "arguments" must be an object'],
    [
      'write',
      { file_path: 7, content: [] },
      'INVALID_ARGS',
      '"file_path" must be a string; "content" must be a string',
    ],
    ['write', { file_path: path }, 'INVALID_ARGS', 'missing required property "content"'],
    ['edit', { file_path: path, old_string: '', new_string: 'x', extra: 1 }, 'error', 'old_string must be a non-empty'],
    ['write', { file_path: outside, content: 'x' }, 'FS_SANDBOX_DENIED', 'denied under workspace-write mode'],
    ['write', { file_path: `${path}\0b`, content: 'x' }, 'FS_NOT_FOUND', 'NUL characters'],
    [
      'todo_write',
      { todos: [{ content: large, status: 'pending' }] },
      'error',
      'the arguments of "todo_write" are too long',
    ],
  ];
  const toolCalls = calls.map(([name, args]) => ({ name, arguments: args }));
  const options = scripted(stack, 'refused', ({ steps }) => (steps.length === 0 ? { toolCalls } : { text: 'done' }));
  const session = await stack.api.create({ ...options, workspace: folder, permissions: { preset: 'workspace-write' } });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  const results = logLines(events).flatMap((line) => (line.startsWith('tool/result') ? [line.split(' ').at(-1)] : []));
  expect(results).toEqual(calls.map(([, , code]) => code));
  for (const [index, [, , , text]] of calls.entries()) {
    const shown = resultText(events, `call_1_${index + 1}`);
    expect([shown.length < 2_000, shown]).toEqual([true, expect.stringContaining(text)]);
  }
  expect([readdirSync(folder), existsSync(outside)]).toEqual([[], false]);
  expect(logLines(events).at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

test('a picture of 3 MB is shown in six turns, also after a close and a resume, and travels nowhere but to the model and to whoever may see the log', async () => {
  const picture = noisePng(1_000, 1_000);
  mkdirSync(stack.workspace, { recursive: true });
  writeFileSync(join(stack.workspace, 'noise.png'), picture);
  const seen: Buffer[] = [];
  const look = ({ messages, lastUser }: RequestView): ScriptAnswer => {
    const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    const urls = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
    if (urls.length === 0) return { toolCalls: [{ name: 'read_image', arguments: { file_path: 'noise.png' } }] };
    seen.push(...urls.map((url) => Buffer.from(url.replace('data:image/png;base64,', ''), 'base64')));
    return { text: `${lastUser}: I see noise` };
  };
  const session = await stack.api.create(scripted(stack, 'sees', look));
  for (let turn = 1; turn <= 6; turn++) {
    if (turn === 4) {
      await stack.api.call('DELETE', `/v1/sessions/${session}`);
      await closed(stack, session);
      await stack.api.call('POST', `/v1/sessions/${session}/resume`, {});
    }
    await stack.api.prompt(session, `look ${turn}`);
    expect(logLines(await stack.api.turnEnded(session, turn)).at(-1)).toBe('turn/end completed');
  }
  expect(seen.map((bytes) => bytes.equals(picture))).toEqual(Array(6).fill(true));
  // It was read once: the model looks for it again where a request does not show it.
  const calls = (await stack.api.events(session)).filter(({ type }) => type === 'tool/call');
  expect(calls).toHaveLength(1);
  await expectSound(stack, session);
  expect(await largestPayload(session)).toBeLessThan(64 * 1024);

  const { body } = await stack.api.call<{ messages: { content: { content?: object[] }[] }[] }>(
    'GET',
    `/v1/sessions/${session}/messages`,
  );
  const [, image] = body.messages.flatMap(({ content }) => content.flatMap((block) => block.content ?? []));
  const facts = { mediaType: 'image/png', width: 1_000, height: 1_000, bytes: picture.length };
  expect(image).toEqual({ type: 'image', attachmentId: expect.stringMatching(/^[0-9a-f]{64}$/), ...facts });
  const { attachmentId } = image as { attachmentId: string };
  const response = await stack.api.fetch(`/v1/sessions/${session}/attachments/${attachmentId}`);
  const header = (name: string) => response.headers.get(name);
  expect([response.status, header('content-type'), header('x-content-type-options'), header('cache-control')]).toEqual([
    200,
    'image/png',
    'nosniff',
    'private, max-age=31536000, immutable',
  ]);
  expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
  // Stored once, however often it is read and by whom.
  const other = await stack.api.create(scripted(stack, 'sees', look));
  await stack.api.prompt(other, 'look');
  await stack.api.turnEnded(other);
  expect(await stack.database.selectFrom('attachments').select('id').execute()).toEqual([{ id: attachmentId }]);
});

test('a prompt shows the model the pictures it brings and those it names; neither its log nor its histories hold them', async () => {
  const [brought, named] = [noisePng(40, 30), noisePng(30, 40)];
  const upload = { method: 'POST', body: named, type: 'image/png' };
  const stored = (await (await stack.api.fetch('/v1/attachments', upload)).json()) as object;
  const seen: string[] = [];
  const look = ({ messages }: RequestView): ScriptAnswer => {
    const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    seen.push(...parts.map((part) => (part.type === 'image_url' ? part.image_url.url : part.text)));
    return { text: 'two pictures' };
  };
  const session = await stack.api.create(scripted(stack, 'shown', look));
  const data = brought.toString('base64');
  const content = [{ type: 'text', text: 'which?' }, { type: 'image', mediaType: 'image/png', data }, stored];
  expect(await stack.api.call('POST', `/v1/sessions/${session}/prompts`, { content })).toMatchObject({ status: 202 });
  const log = await stack.api.turnEnded(session);
  const url = (picture: Buffer) => `data:image/png;base64,${picture.toString('base64')}`;
  expect(seen).toEqual(['which?', url(brought), url(named)]);
  const said = log.find(({ type }) => type === 'user/message')?.data as { content: object[] };
  expect(said.content).toEqual([content[0], expect.objectContaining({ width: 40, height: 30 }), stored]);
  expect(JSON.stringify(log)).not.toContain(data);
  await expectSound(stack, session);
});

test('a picture that a program looks at is shown to the model once the program is over', async () => {
  const picture = noisePng(10, 10);
  mkdirSync(stack.workspace, { recursive: true });
  writeFileSync(join(stack.workspace, 'small.png'), picture);
  const shown: string[] = [];
  const look = ({ messages }: RequestView): ScriptAnswer => {
    const code = `await tools.read_image({ file_path: 'small.png' }); return 'looked';`;
    const call = { name: 'run_code', arguments: { code, description: 'Look' } };
    if (messages.every(({ role }) => role !== 'assistant')) return { toolCalls: [call] };
    const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    shown.push(...parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : [])));
    return { text: 'I see' };
  };
  const session = await stack.api.create({ ...scripted(stack, 'looks', look), toolsMode: 'both', prompt: 'go' });
  const events = await stack.api.turnEnded(session);
  expect(shown).toEqual([`data:image/png;base64,${picture.toString('base64')}`]);
  expect(resultText(events, 'call_1_1')).toBe('looked');
  const last = events.filter(({ type }) => /^(tool|context)\//.test(type)).slice(-3);
  expect(last).toMatchObject([
    { type: 'tool/ptc-dispatch', data: { isError: false } },
    { type: 'tool/result' },
    { type: 'context/message', data: { content: [{ type: 'image' }], source: { plugin: 'run_code' } } },
  ]);
  await expectSound(stack, session);
});

/** The largest event of all histories of the session, in bytes. */
async function largestPayload(session: string): Promise<number> {
  const turn = `session:${session}/turn:1`;
  const sizes: number[] = [];
  for (const workflowId of [`session:${session}`, turn, `${turn}/step:1`, `${turn}/step:2`]) {
    const history = await fetchRun(stack.client.workflow, { workflowId });
    expect(history).toBeDefined();
    sizes.push(...(history?.events ?? []).map(bytesOf));
  }
  return Math.max(...sizes);
}

/** As the server stores it: payloads are bytes, which JSON would write as numbers. */
const bytesOf = (event: object): number =>
  JSON.stringify(event, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  ).length;
