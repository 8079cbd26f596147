import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import { expect, test, vi } from 'vitest';
import { hover, openDemo, scriptServer } from '../../test/scripted-server.ts';
import { isRunning, openWorkspace, temporaryDirectory } from '../../test/workspace.ts';
import { runCall } from '../kit/index.ts';
import { executeLsp } from './execute.ts';

test('one process for a workspace under all its names, another for another workspace', async () => {
  const { call, noted, cwd } = await openDemo();
  const alias = join(temporaryDirectory(), 'alias');
  symlinkSync(cwd, alias);
  const other = temporaryDirectory();
  writeFileSync(join(other, 'a.demo'), 'x');
  for (const folder of [cwd, alias, other]) await call('lsp', hover('a.demo'), { cwd: folder });
  expect(noted('start').length).toBe(2);
});

test('sessions of a workspace share a process, which ends with the last of them and with all it started', async () => {
  const { call, noted, world } = await openDemo();
  const [first, second] = ['s1' as SessionId, 's2' as SessionId];
  for (const session of [first, second]) await call('lsp', hover('a.demo'), { resources: world.resources.of(session) });
  const [pid] = noted('start').map(Number);
  expect(noted('start').length).toBe(1);
  await world.endSession(first);
  expect(await isRunning(pid ?? 0)).toBe(true);
  await world.endSession(second);
  expect(await isRunning(pid ?? 0)).toBe(false);
  expect(noted('shutdown').length).toBe(1);
});

test('the server has the environment of commands and nothing of the worker', async () => {
  const environment = {
    ...process.env,
    OPENAI_API_KEY: 'sk-1',
    DATABASE_URL: 'postgres://u:pw@h/d',
    X_NEW_SECRET: 'xs-1',
  };
  const { call, noted } = await openDemo({}, { environment: { DEMO_LEVEL: '3' } }, { environment });
  await call('lsp', hover('a.demo'));
  const [seen = ''] = noted('environment');
  expect(seen).not.toMatch(/sk-1|postgres:|xs-1/);
  expect(JSON.parse(seen)).toMatchObject({ DEMO_LEVEL: '3', PATH: process.env['PATH'] });
});

test('a slow start is waited for, and who asks meanwhile is served in turn', async () => {
  const { call, noted } = await openDemo({ slowMs: 300, answers: { 'textDocument/hover': { contents: 'hi' } } });
  const answers = await Promise.all([call('lsp', hover('a.demo')), call('lsp', hover('a.demo'))]);
  expect(answers.map(({ text }) => text)).toEqual(['hi', 'hi']);
  expect(noted('start').length).toBe(1);
});

test('a server that never starts costs one wait: the next question does not wait again', async () => {
  const limits = { languageServerLimits: { startMs: 300 } };
  const { call, noted } = await openDemo({ fault: 'never-initialize' }, {}, limits);
  const first = await call('lsp', hover('a.demo'));
  expect(first).toMatchObject({
    code: 'LSP_UNAVAILABLE',
    text: 'Error: language server "demo" did not start within 300 ms',
  });
  expect((await call('lsp', hover('a.demo'))).text).toMatch(/it is tried again in \d+ s$/);
  // A slow machine ends it before it can note that it began.
  expect(noted('start').length).toBeLessThanOrEqual(1);
});

test('a crash is tried once more on a fresh process, and then told with the last words', async () => {
  const once = await openDemo({ fault: 'crash-once', answers: { 'textDocument/hover': { contents: 'hi' } } });
  expect(await once.call('lsp', hover('a.demo'))).toEqual({ text: 'hi', isError: false });
  expect(once.noted('start').length).toBe(2);
  const always = await openDemo({ fault: 'crash-on-open' });
  expect(await always.call('lsp', hover('a.demo'))).toEqual({
    text: 'Error: language server "demo" ended (exit code 7): fatal: out of cheese',
    isError: true,
  });
  expect(always.noted('start').length).toBe(2);
});

test('a server that died while nobody asked is replaced', async () => {
  const { call, noted } = await openDemo({ answers: { 'textDocument/hover': { contents: 'hi' } } });
  await call('lsp', hover('a.demo'));
  const pid = Number(noted('start')[0]);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await isRunning(pid)).toBe(false), 30_000);
  expect((await call('lsp', hover('a.demo'))).text).toBe('hi');
  expect(noted('start').length).toBe(2);
});

test('a server nobody asks is stopped and comes back when somebody does', async () => {
  const { call, noted } = await openDemo({}, {}, { languageServerLimits: { idleMs: 50 } });
  await call('lsp', hover('a.demo'));
  const pid = Number(noted('start')[0]);
  await vi.waitFor(async () => expect(await isRunning(pid)).toBe(false), 30_000);
  await call('lsp', hover('a.demo'));
  expect(noted('start').length).toBe(2);
});

test('no more servers run than may: the one not asked for longest makes room', async () => {
  const { call, noted, cwd } = await openDemo({}, {}, { languageServerLimits: { servers: 1 } });
  const other = temporaryDirectory();
  writeFileSync(join(other, 'a.demo'), 'x');
  for (const folder of [cwd, other, cwd]) await call('lsp', hover('a.demo'), { cwd: folder });
  const pids = noted('start').map(Number);
  expect(await Promise.all(pids.map(isRunning))).toEqual([false, false, true]);
});

test('a cancel reaches the server; one that does not heed it is torn down after its grace', async () => {
  const cancelled = async (fault: 'polite' | 'deaf') => {
    const { context, noted } = await openDemo({ fault }, {}, { languageServerLimits: { graceMs: 200 } });
    const controller = new AbortController();
    const running = runCall({
      body: executeLsp,
      args: hover('a.demo'),
      context: context({ signal: controller.signal }),
    });
    await vi.waitFor(() => expect(noted('ask').length).toBe(1), 30_000);
    controller.abort();
    const { error } = await running;
    return { code: error?.code, told: noted('cancelled').length, runs: await isRunning(Number(noted('start')[0])) };
  };
  expect(await cancelled('polite')).toEqual({ code: 'ABORTED', told: 1, runs: true });
  expect(await cancelled('deaf')).toEqual({ code: 'ABORTED', told: 1, runs: false });
});

test('a server that no longer reads ends with the cancel of who waits to show it a document', async () => {
  const { context, noted, cwd } = await openDemo(
    { fault: 'reads-no-more' },
    {},
    { languageServerLimits: { graceMs: 200 } },
  );
  writeFileSync(join(cwd, 'long.demo'), 'x'.repeat(1_000_000));
  const controller = new AbortController();
  const running = runCall({
    body: executeLsp,
    args: hover('long.demo'),
    context: context({ signal: controller.signal }),
  });
  await vi.waitFor(() => expect(noted('paused').length).toBe(1), 30_000);
  controller.abort();
  expect((await running).error?.code).toBe('ABORTED');
  expect(await isRunning(Number(noted('start')[0]))).toBe(false);
});

test.each([
  ['huge', /sent a message of 20000000 bytes, more than 16000000/],
  ['noise', /wrote something else than messages to its output/],
] as const)('a server whose output is %s is given up', async (fault, message) => {
  const { call } = await openDemo({ fault });
  expect((await call('lsp', hover('a.demo'))).text).toMatch(message);
});

test('what the server asks back is answered: settings, registrations, and edits with no', async () => {
  const settings = { demo: { level: 3 } };
  const { call, noted } = await openDemo({ fault: 'ask-back' }, { settings });
  await call('lsp', hover('a.demo'));
  expect(noted('answered').map((line) => JSON.parse(line) as unknown)).toEqual([
    [3, null],
    { applied: false, failureReason: 'this client applies no edits' },
    null,
  ]);
});

test('a server that counts columns otherwise is refused', async () => {
  const { call } = await openDemo({
    capabilities: { hoverProvider: true, textDocumentSync: 1, positionEncoding: 'utf-8' },
  });
  expect((await call('lsp', hover('a.demo'))).text).toBe(
    'Error: language server "demo" counts columns in utf-8, not in utf-16',
  );
});

test('programs are all there or no server is used', async () => {
  const { definition } = scriptServer();
  const missing = { id: 'gopls', command: ['no-such-gopls'], languages: { '.go': 'go' } };
  const { call, cwd } = await openWorkspace({ languageServers: [definition, missing] });
  writeFileSync(join(cwd, 'a.demo'), 'x');
  expect(await call('lsp', hover('a.demo'))).toEqual({
    text: 'Error: language server "gopls": cannot start "no-such-gopls": it is not on PATH; install it or correct EVERTURN_LANGUAGE_SERVERS_FILE',
    isError: true,
    code: 'LSP_UNAVAILABLE',
  });
});

test('two servers that claim the same, and one that claims nothing, are refused when the world opens', async () => {
  const { definition } = scriptServer();
  const open = (...languageServers: (typeof definition)[]) => openWorkspace({ languageServers });
  await expect(open(definition, { ...definition, id: 'other' })).rejects.toMatchObject({ code: 'LSP_CONFLICT' });
  await expect(open({ ...definition, languages: {} })).rejects.toMatchObject({ code: 'LSP_INVALID_PROVIDER' });
  await expect(open({ ...definition, languages: { TS: 'x' } })).rejects.toMatchObject({ code: 'LSP_INVALID_PROVIDER' });
  await expect(open({ ...definition, command: [] })).rejects.toMatchObject({ code: 'LSP_INVALID_PROVIDER' });
});
