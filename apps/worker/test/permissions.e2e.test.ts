import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { missing } from '../../../libs/tools/test/runners.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const note = await missing('bubblewrap');
let stack: Stack;
let outside: string;
beforeAll(async () => {
  stack = await startStack();
  outside = mkdtempSync('/var/tmp/everturn-permissions-');
});
afterAll(async () => {
  rmSync(outside, { recursive: true, force: true });
  await stack?.stop();
});

/** Answers in this order, whatever a conversation holds besides. */
const inOrder =
  (...answers: ScriptAnswer[]) =>
  (request: RequestView) =>
    answers[request.messages.filter(({ role }) => role === 'assistant').length] ?? { text: 'done' };

const asking = (command: string) => {
  const { name, arguments: args } = bash(command);
  return { name, arguments: { ...args, sandbox_permissions: 'danger-full-access', justification: 'it must' } };
};

async function allow(session: string): Promise<void> {
  const id = await waitFor(
    async () => {
      const path = `/v1/sessions/${session}/interactions?state=open`;
      const { body } = await stack.api.call<{ interactions: { id: string; request: unknown }[] }>('GET', path);
      return body.interactions[0]?.id;
    },
    { what: 'somebody to be asked', timeoutMs: 30_000 },
  );
  const { status } = await stack.api.call('POST', `/v1/sessions/${session}/approvals/${id}`, { decision: 'allow' });
  expect(status).toBeLessThan(300);
}

const change = (session: string, body: object) => stack.api.call('PUT', `/v1/sessions/${session}/permissions`, body);
const DENIED = '[sandbox: file access denied under workspace-write mode]';

test.skipIf(note)(`one call escalates, the next is denied again; never: nobody is asked${note}`, async () => {
  const mark = join(outside, 'mark');
  const write = `echo x >> ${mark}`;
  const answers = [
    { toolCalls: [bash(write)] },
    { toolCalls: [asking(write)] },
    { toolCalls: [bash(write)] },
    { text: 'first done' },
    { toolCalls: [asking(write)] },
  ];
  const session = await stack.api.create({
    ...scripted(stack, 'escalating', inOrder(...answers)),
    permissions: { preset: 'workspace-write' },
  });
  await stack.api.prompt(session, 'go');
  await allow(session);
  const first = await stack.api.turnEnded(session);
  expect(first.slice(0, 4).map(({ type, data }) => [type, data])).toEqual([
    ['turn/start', expect.anything()],
    ['permission/preset', { preset: 'workspace-write' }],
    ['sandbox/mode', { mode: 'workspace-write' }],
    ['approval/policy', { policy: 'ask' }],
  ]);
  expect(resultText(first, 'call_1_1')).toContain(DENIED);
  expect(logLines(first).filter((line) => line.startsWith('approval/'))).toEqual([
    'approval/asked',
    'approval/decided allowed-once',
  ]);
  expect(first.find(({ type }) => type === 'approval/asked')?.data).toMatchObject({
    toolName: 'bash',
    reason: 'escalate sandbox to danger-full-access: it must',
  });
  const results = first.flatMap((event) => (event.type === 'tool/result' ? [event.data] : []));
  expect(results.map(({ content }) => JSON.stringify(content).includes(DENIED))).toEqual([true, false, true]);
  expect(readFileSync(mark, 'utf8')).toBe('x\n');

  expect((await change(session, { approvalPolicy: 'never' })).status).toBe(202);
  const told = await stack.api.turnEnded(session, 2);
  expect(told.slice(first.length).map(({ type }) => type)).toEqual([
    'turn/start',
    'approval/policy',
    'context/message',
    'turn/end',
  ]);
  await stack.api.prompt(session, 'again');
  const last = await stack.api.turnEnded(session, 3);
  expect(logLines(last.slice(told.length)).filter((line) => /^(approval|tool)\//.test(line))).toEqual([
    expect.stringMatching(/^tool\/call /),
    'approval/asked',
    'approval/decided rejected',
    expect.stringMatching(/^tool\/result .* error$/),
  ]);
  expect(JSON.stringify(last)).toContain('the user rejected escalating this command to \\"danger-full-access\\"');
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  const { body } = await stack.api.call('GET', `/v1/sessions/${session}/permissions`);
  expect(body).toMatchObject({ preset: 'custom', sandboxMode: 'workspace-write', approvalPolicy: 'never' });
  await expectSound(stack, session);
});

test.skipIf(note)(
  `a session without network has none in its commands, jobs and agents, whoever grants what${note}`,
  async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port} && echo connected`;
    const { name, arguments: args } = bash(connect);
    const delegate = { name: 'subagent', arguments: { description: 'Connect', prompt: 'connect as a child' } };
    const options = scripted(stack, 'offline', (request) => {
      const child = JSON.stringify(request.messages).includes('"connect as a child"');
      return inOrder(
        ...(child ? [] : [{ toolCalls: [{ name, arguments: { ...args, run_in_background: true } }] }]),
        { toolCalls: child ? [bash(connect)] : [bash(connect), asking(connect), delegate] },
        ...(child ? [] : [{ toolCalls: [{ name: 'job_output', arguments: { job_id: 'bash-1', wait: true } }] }]),
        { text: request.messages.findLast(({ role }) => role === 'tool')?.content as string },
      )(request);
    });
    const said = async (permissions: object) => {
      const session = await stack.api.create({
        ...options,
        permissions: { preset: 'workspace-write', ...permissions },
      });
      await stack.api.prompt(session, 'go');
      await allow(session);
      const events = await stack.api.turnEnded(session);
      await expectSound(stack, session);
      return ['call_2_1', 'call_2_2', 'call_2_3', 'call_3_1'].map((call) =>
        resultText(events, call).includes('connected'),
      );
    };
    expect(await said({})).toEqual([true, true, true, true]);
    expect(await said({ network: 'none' })).toEqual([false, false, false, false]);
  },
);

test('a tenant says what its new sessions may do; those that are there keep to what they began with', async () => {
  const wants = (value: object) => stack.api.call('PUT', '/v1/settings/permission', { value });
  const path = '/v1/settings/permission';
  const { body: before } = await stack.api.call('GET', path);
  expect(before).toMatchObject({
    value: { defaultPreset: 'workspace-write' },
    base: { defaultPreset: 'workspace-write' },
  });
  expect(await wants({ defaultPreset: 'custom' })).toMatchObject({ status: 400, body: { code: 'SETTINGS_REJECTED' } });
  expect((await wants({ defaultPreset: 'read-only' })).status).toBe(200);
  const session = await stack.api.create(scripted(stack, 'by-default', () => ({ text: 'done' })));
  await wants({});
  const preset = async () => (await stack.api.call('GET', `/v1/sessions/${session}/permissions`)).body['preset'];
  expect(await preset()).toBe('read-only');
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(events.slice(1, 4).map(({ data }) => data)).toEqual([
    { preset: 'read-only' },
    { mode: 'read-only' },
    { policy: 'ask' },
  ]);
  expect(await preset()).toBe('read-only');
  await expectSound(stack, session);
});

test('a tenant says what commands may take: the next turn keeps to it, its jobs, too', async () => {
  const path = '/v1/settings/shell';
  const much = bash('yes x | head -c 5000');
  const refused = await stack.api.call('PATCH', path, { patch: { timeoutMs: -1 } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'SETTINGS_REJECTED' } });
  const { body } = await stack.api.call('GET', path);
  expect(body).toMatchObject({ revision: 0, value: { timeoutMs: 60_000 } });
  const session = await stack.api.create({
    ...scripted(
      stack,
      'hurried',
      inOrder(
        { toolCalls: [bash('sleep 600'), { ...much, arguments: { ...much.arguments, run_in_background: true } }] },
        { toolCalls: [{ name: 'job_output', arguments: { job_id: 'bash-1', wait: true } }] },
      ),
    ),
    permissions: { preset: 'danger-full-access' },
  });
  await stack.api.call('PATCH', path, { patch: { timeoutMs: 150, maxOutputBytes: 1_000 } });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  await stack.api.call('PUT', path, { value: {} });
  expect(resultText(events, 'call_1_1')).toContain('[timed out after 150ms]');
  expect(resultText(events, 'call_2_1')).toMatch(/^(x\n){500}\[some output was dropped from memory; full output: /);
  const header = events.find((event) => event.type === 'request/header');
  expect(JSON.stringify(header?.data)).toContain('Default 150, at most 600000;');
  await expectSound(stack, session);
});

test('changed while a question waits: that is still answered by its person, what comes after it keeps to the change', async () => {
  const question = { name: 'ask_user_question', arguments: { questions: [{ id: 'why', question: 'Why?' }] } };
  const write = { name: 'write', arguments: { file_path: join(stack.workspace, 'after.txt'), content: 'x' } };
  const wider = { sandbox_permissions: 'workspace-write', justification: 'it must' };
  const answers = [question, write, { ...write, arguments: { ...write.arguments, ...wider } }];
  const session = await stack.api.create({
    ...scripted(stack, 'questioned-on', inOrder(...answers.map((call) => ({ toolCalls: [call] })))),
    permissions: { preset: 'workspace-write' },
    prompt: 'go',
  });
  const open = async () => {
    const path = `/v1/sessions/${session}/interactions?state=open`;
    return (await stack.api.call<{ interactions: { id: string }[] }>('GET', path)).body.interactions;
  };
  const [asked] = await waitFor(async () => (await open()).length === 1 && open(), { what: 'the question' });
  expect((await change(session, { preset: 'read-only' })).status).toBe(202);
  expect((await change(session, { approvalPolicy: 'never' })).status).toBe(202);
  await stack.api.until(session, 'both changes', (events) =>
    events.some(({ type, data }) => type === 'approval/policy' && JSON.stringify(data).includes('never')),
  );
  expect(await open()).toMatchObject([{ id: asked?.id }]);
  const body = { answers: [{ id: 'why', selected: [], custom: 'because' }] };
  expect((await stack.api.call('POST', `/v1/sessions/${session}/questions/${asked?.id}/answer`, body)).status).toBe(
    202,
  );
  const events = await stack.api.turnEnded(session);
  const results = events.flatMap((event) => (event.type === 'tool/result' ? [JSON.stringify(event.data.content)] : []));
  expect(results).toEqual([
    expect.stringContaining('because'),
    expect.stringContaining('file access denied under read-only mode'),
    expect.stringContaining('the user rejected escalating this operation to \\"workspace-write\\"'),
  ]);
  expect(existsSync(write.arguments.file_path)).toBe(false);
  const types = events.map(({ type }) => type).filter((type) => /^(permission|sandbox|approval)\//.test(type));
  // At creation, while it waited, and for the call that nobody was asked about.
  expect(types).toEqual([
    'permission/preset',
    'sandbox/mode',
    'approval/policy',
    'permission/preset',
    'sandbox/mode',
    'approval/policy',
    'approval/asked',
    'approval/decided',
  ]);
  const notices = events.flatMap(({ type, data }) => (type === 'context/message' ? [JSON.stringify(data)] : []));
  expect(notices.map((notice) => /(sandbox mode|approval policy) changed/.exec(notice)?.[1])).toEqual([
    'sandbox mode',
    'approval policy',
  ]);
  await expectSound(stack, session);
});

test.skipIf(note).each(['child', 'inline'])(`changed while a turn runs, its steps %s${note}`, async (stepIsolation) => {
  const name = `changing-${stepIsolation}`;
  const touch = `echo x > ${stepIsolation}`;
  const answers: ScriptAnswer[] = [
    { toolCalls: [bash(touch)] },
    { toolCalls: [bash(touch)], hold: { gate: name, afterDeltas: 0 } },
  ];
  const session = await stack.api.create({
    ...scripted(stack, name, inOrder(...answers)),
    stepIsolation,
    permissions: { preset: 'read-only' },
  });
  await stack.api.prompt(session, 'go');
  await stack.model.held(name);
  const refused = await stack.api.call('PUT', `/v1/sessions/${session}/permissions`, { preset: 'root' });
  expect([refused.status, refused.body['code']]).toEqual([400, 'INVALID_REQUEST']);
  expect((await change(session, { preset: 'workspace-write' })).status).toBe(202);
  await stack.api.until(session, 'the log to say it', (events) =>
    events.some(({ type, data }) => type === 'sandbox/mode' && JSON.stringify(data).includes('workspace-write')),
  );
  stack.model.release(name);
  const events = await stack.api.turnEnded(session);
  const results = events.flatMap((event) => (event.type === 'tool/result' ? [JSON.stringify(event.data.content)] : []));
  expect(results[0]).toContain('file access denied under read-only mode');
  expect(results[1]).toContain('(no output)');
  expect(existsSync(join(stack.workspace, stepIsolation))).toBe(true);
  const notices = events.flatMap((event) => (event.type === 'context/message' ? [event.data] : []));
  expect(notices).toEqual([
    {
      content: [
        { type: 'text', text: 'The sandbox mode changed from "read-only" to "workspace-write" (changed by the user).' },
      ],
      source: { kind: 'plugin', plugin: 'user-approval' },
    },
  ]);
  const headers = events.flatMap((event) => (event.type === 'request/header' ? [event.data] : []));
  expect(
    headers.map(({ reason, header }) => [reason, /Sandbox mode: ([a-z-]+)/.exec(header.system ?? '')?.[1]]),
  ).toEqual([
    ['initial', 'read-only'],
    ['change', 'workspace-write'],
  ]);
  await expectSound(stack, session);
});
