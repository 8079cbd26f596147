import { expect, test } from 'vitest';
import { isRunning } from '../../../test/workspace.ts';
import { held, openServers, scripted } from '../../../test/mcp/open-servers.ts';

const names = (mcp: { view(): readonly { tools: readonly { raw: string }[] }[] }) =>
  mcp.view().map(({ tools }) => tools.map(({ raw }) => raw));

test('a server that prints log lines is connected to, page by page, and offers what it can', async () => {
  const { mcp, call, notices } = await openServers([scripted('s')]);
  const [view] = mcp.view();
  expect(view).toMatchObject({ name: 's', transport: 'stdio', state: 'connected', resources: true });
  expect(view?.tools.map(({ name }) => name)).toContain('mcp__s__ok');
  expect(view?.tools.find(({ raw }) => raw === 'a.b')?.name).toMatch(/^mcp__s__a_b_[0-9a-f]{12}$/);
  expect(view?.notices).toEqual(['tool "shrink" is left out: it can only run as a task, which is not supported']);
  expect(notices).toEqual([`MCP server "s": ${view?.notices[0]}`]);
  expect(await call('s', 'ok', { a: 1 })).toBe('ok {"a":1}');
});

test('h1: a server that dies in a call fails it at once with what it said last, is started again, and repeats nothing', async () => {
  const { call, journal } = await openServers([scripted('s')]);
  expect(await call('s', 'ok')).toBe('ok {}');
  const began = performance.now();
  const failure = await call('s', 'die').catch((error: Error) => error.message);
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(failure).toContain('MCP server "s" was lost while it worked on this call: it exited with code 1');
  expect(failure).toContain('the disk is on fire');
  expect(failure).toContain('it was not repeated');
  expect(await call('s', 'ok', { n: 3 })).toBe('ok {"n":3}');
  expect(await call('s', 'ok', { n: 4 })).toBe('ok {"n":4}');
  const stop = new AbortController();
  const cancelled = call('s', 'sleep', {}, stop.signal).catch((error: Error) => error.name);
  await expect.poll(() => journal('s')).toContain('call sleep {}');
  stop.abort();
  expect(await cancelled).toBe('AbortError');
  await expect.poll(() => journal('s')).toContain('slept'); // the cancel reached the server
  expect(await call('s', 'ok', { n: 6 })).toBe('ok {"n":6}');
  const lines = journal('s');
  expect(lines.filter((line) => line.startsWith('call die'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('start'))).toHaveLength(2);
});

test('a server that ignores a cancel is left behind, and its late answer changes nothing', async () => {
  const { call, journal, mcp } = await openServers([scripted('s')]);
  const stop = new AbortController();
  const cancelled = call('s', 'stubborn', {}, stop.signal).catch((error: Error) => error.name);
  await expect.poll(() => journal('s')).toContain('call stubborn {}');
  const began = performance.now();
  stop.abort();
  expect(await cancelled).toBe('AbortError');
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await call('s', 'ok')).toBe('ok {}');
  expect(mcp.view()[0]?.state).toBe('connected');
});

test("the limit of a call is the protocol client's own error", async () => {
  const { call } = await openServers([scripted('s', 'plain', { toolCallTimeoutMs: 200 })]);
  await expect(call('s', 'sleep')).rejects.toThrow('MCP server "s": MCP error -32001: Request timed out');
  expect(await call('s', 'ok')).toBe('ok {}');
});

test('a changed list is read anew', async () => {
  const { mcp, call, until } = await openServers([scripted('s')]);
  expect(names(mcp)[0]).not.toContain('extra');
  let changes = 0;
  mcp.onChange(() => (changes += 1));
  await call('s', 'grow');
  await until('the new tool to be offered', () => names(mcp)[0]?.includes('extra') === true && changes > 0);
});

test('h3: odd schemas are projected or left out, each with a named warning', async () => {
  const { mcp, call } = await openServers([scripted('s', 'odd')]);
  const [view] = mcp.view();
  expect(view?.tools.map(({ raw }) => raw)).toEqual(['ok', 'any-of', 'untyped', 'circle', 'lost']);
  expect(
    view?.tools.every(({ parameters }) => parameters.type === 'object' && !JSON.stringify(parameters).includes('$ref')),
  ).toBe(true);
  expect(view?.notices).toEqual([
    'tool "any-of": its input schema says no type; taken for an object',
    'tool "any-of": the alternatives at the root of its input schema are shown as one object',
    'tool "a-string" is left out: its input schema is not of an object but of "string"',
    'tool "untyped": its input schema says no type; taken for an object',
    'tool "circle": the circle behind #/$defs/N is not shown',
    'tool "lost": what is behind #/$defs/N is not shown',
    'tool "huge" is left out: its input schema takes more than 32768 bytes',
    'tool "proto" is left out: it requires a property named "__proto__"',
  ]);
  expect(await call('s', 'ok')).toBe('ok {}');
});

test('a list that names a tool twice offers nothing', async () => {
  const { mcp, notices } = await openServers([
    scripted('s', 'twice', { reconnect: { enabled: false, initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 1 } }),
  ]);
  expect(mcp.view()).toMatchObject([{ state: 'disconnected', tools: [] }]);
  expect(notices[0]).toContain('it lists the tool "ok" twice');
});

test('a program that always dies uses its attempts up and is withdrawn', async () => {
  const reconnect = { enabled: true, initialDelayMs: 10, maxDelayMs: 20, maxAttempts: 3 };
  const { mcp, journal, until, call } = await openServers([scripted('s', 'crash-loop', { reconnect })]);
  await until('the attempts to be used up', () => mcp.view()[0]?.state === 'gone');
  expect(journal('s')).toHaveLength(4);
  await expect(call('s', 'ok')).rejects.toThrow('MCP server "s" is not connected (gone): it exited with code 7');
});

test('a server that dies while it lists its tools is connected to again once', async () => {
  const { mcp, journal, notices, call, until } = await openServers([scripted('s', 'dies-listing')]);
  await until('the second connection', () => mcp.view()[0]?.state === 'connected');
  expect(notices.filter((notice) => notice.includes('Connecting again'))).toHaveLength(1);
  expect(await call('s', 'ok')).toBe('ok {}');
  expect(journal('s').filter((line) => line.startsWith('start'))).toHaveLength(2);
});

test('a server that starts late is not waited for, one that must start stops the start', async () => {
  const broken = scripted('s', 'crash-loop', { failOnStartupError: true });
  await expect(openServers([broken])).rejects.toThrow('MCP server "s" did not start: it exited with code 7');
  const missing = scripted('m', 'plain', {
    transport: { kind: 'stdio', command: 'no-such-program-here', args: [], env: {} },
  });
  const { notices } = await openServers([missing]);
  expect(notices[0]).toContain('no-such-program-here');
});

test('closing during a wait for the next attempt makes none', async () => {
  const reconnect = { enabled: true, initialDelayMs: 100, maxDelayMs: 100, maxAttempts: 50 };
  const [closed, other] = await Promise.all(
    ['s', 'other'].map((name) => openServers([scripted(name, 'crash-loop', { reconnect })])),
  );
  await closed!.mcp.close();
  const attempts = [closed!.journal('s').length, other!.journal('other').length];
  // Another that waits as long, and is not closed, makes two more meanwhile.
  await other!.until('two attempts of another', () => other!.journal('other').length >= attempts[1]! + 2);
  expect([closed!.mcp.view()[0]?.state, closed!.journal('s').length]).toEqual(['closed', attempts[0]]);
});

test('closing during an attempt leaves no program of it', async () => {
  const { mcp, journal, until } = await openServers([scripted('s', 'mute-again')]);
  await until('the second attempt', () => journal('s').length === 2);
  await mcp.close();
  const [, pid] = journal('s').at(-1)!.split(' ');
  expect(await isRunning(Number(pid))).toBe(false);
});

test('i3: a server gets the scrubbed environment and what is configured, and its secrets do not show', async () => {
  const host = {
    PATH: process.env['PATH'],
    OPENAI_API_KEY: 'sk-host-key',
    X_NEW_SECRET: 'hush-hush',
    DATABASE_URL: 'postgres://u:p@h/d',
  };
  const token = held('tok-123456');
  const options = scripted('s', 'plain', { secrets: [token] });
  const { transport } = options;
  if (transport.kind === 'stdio') transport.env = { MY_TOKEN: token, MODE: held('quiet') };
  const { world, call } = await openServers([options], host);
  const environment = await call('s', 'env');
  expect(JSON.parse(environment)).toMatchObject({ MY_TOKEN: '[secret]', MODE: 'quiet' });
  for (const value of Object.values(host).slice(1)) expect(environment).not.toContain(value);
  const failure = await call('s', 'leak').catch((error: Error) => error.message);
  expect(failure).toContain('using [secret]');
  await world.dispose();
});

test('nothing of a server is left when the world ends', async () => {
  const { world, journal } = await openServers([scripted('s')]);
  const pid = Number(journal('s')[0]?.split(' ')[1]);
  expect(await isRunning(pid)).toBe(true);
  await world.dispose();
  expect(await isRunning(pid)).toBe(false);
});
