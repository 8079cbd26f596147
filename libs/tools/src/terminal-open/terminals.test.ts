import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { heldTerminals } from '../../test/held-terminals.ts';
import { missing } from '../../test/runners.ts';
import { isRunning, openWorkspace, pidsOf, SESSION, temporaryDirectory, type Workspace } from '../../test/workspace.ts';
import { ToolSettings } from '../kit/index.ts';

const shells = new Set<number>();

/** Less patient than what we ship, so that tests need not be. */
const hasty = { settings: ToolSettings.parse({ terminal: { idleMs: 600, graceMs: 400 } }) };

async function open(workspace: Workspace, args: object = {}, overrides: object = {}): Promise<string> {
  const { text, isError } = await workspace.call('terminal_open', { type: 'shell', ...args }, overrides);
  expect(isError, text).toBe(false);
  const listed = await workspace.call('terminal_list', {});
  for (const [, pid] of listed.text.matchAll(/pid=(\d+)/g)) shells.add(Number(pid));
  return /^started terminal session (pty-\d+)/.exec(text)?.[1] ?? '';
}

const send = async (workspace: Workspace, sessionId: string, text: string, more: object = {}) =>
  (await workspace.call('terminal_send', { sessionId, text, ...more })).text;

const READY = '\n[wait: stdin_read]\n[session: running]';

describe('a shell', () => {
  test('keeps directory and variables, and says when it is at its prompt', async () => {
    const workspace = await openWorkspace();
    expect((await workspace.call('terminal_open', { type: 'shell', name: 'main' })).text).toBe(
      'started terminal session pty-1 (main) [type: shell]\n(no startup output)',
    );
    const id = 'pty-1';
    expect(await send(workspace, id, 'cd /usr; X=kept')).toBe(`cd /usr; X=kept\neverturn> ${READY}`);
    expect(await send(workspace, id, 'echo $PWD $X')).toBe(`echo $PWD $X\n/usr kept\neverturn> ${READY}`);
    expect(await send(workspace, id, 'PS1="mine "; false')).toContain('everturn> ');
    expect(await send(workspace, id, 'sleep 0.4; echo done')).toBe(`sleep 0.4; echo done\ndone\neverturn> ${READY}`);
    expect((await workspace.call('terminal_list', {})).text).toMatch(/^pty-1 \(main\) \[shell\] running pid=\d+$/);
    expect((await workspace.call('terminal_close', { sessionId: id })).text).toBe('closed terminal session pty-1');
    expect((await workspace.call('terminal_list', {})).text).toBe('(no terminal sessions)');
    expect(await workspace.call('terminal_send', { sessionId: id, text: 'x' })).toMatchObject({ code: 'NO_SESSION' });
    expect(await open(workspace)).toBe('pty-2');
  });

  test('takes wide characters, half lines and continued ones', async () => {
    const workspace = await openWorkspace({ environment: { PATH: process.env['PATH'], LANG: 'C' } });
    const id = await open(workspace);
    expect(await send(workspace, id, 'echo 北京🙂é')).toBe(`echo 北京🙂é\n北京🙂é\neverturn> ${READY}`);
    expect(await send(workspace, id, 'echo on', { submit: false })).toBe(`echo on${READY}`);
    expect(await send(workspace, id, 'e')).toBe(`e\none\neverturn> ${READY}`);
    expect(await send(workspace, id, 'echo "a')).toBe(`echo "a\n> ${READY}`);
    expect(await send(workspace, id, 'b"')).toBe(`b"\na\nb\neverturn> ${READY}`);
  });

  test('a line of a megabyte comes through, and its end is what is told', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace);
    const settings = ToolSettings.parse({ maxInlineBytes: 1_000_000 }); // or the rest would be spilled
    const line = `head -c 1000000 /dev/zero | tr '\\0' x; echo; echo end`;
    const { text: told } = await workspace.call('terminal_send', { sessionId: id, text: line }, { settings });
    expect(Buffer.byteLength(told)).toBeLessThanOrEqual(262_144);
    expect(told.endsWith(`x\nend\neverturn> ${READY}\n[output truncated]`)).toBe(true);
    const read = await workspace.call('terminal_read', { sessionId: id, offset: 2, count: 1 }, { settings });
    expect(read.text).toMatch(/^x+\n\[lines: 2-2 of 4\]\n\[output truncated\]$/);
  });

  test('exit is told with its code', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace);
    expect(await send(workspace, id, 'exit 3')).toMatch(
      /^exit 3\nexit\n\n\[wait: session_exit\]\n\[session: exited code=3 signal=null\]$/,
    );
    expect((await workspace.call('terminal_list', {})).text).toContain('exited code=3 signal=null');
    expect(await send(workspace, id, 'x')).toBe(
      '(no new output)\n[wait: session_exit]\n[session: exited code=3 signal=null]',
    );
  });
});

test.skipIf(process.platform !== 'linux')(
  'what is closed is held open by nobody, what is open by one process alone',
  async () => {
    const workspace = await openWorkspace();
    const before = heldTerminals(process.pid);
    const ids = [await open(workspace), await open(workspace)];
    expect(heldTerminals(process.pid)).toBe(before + 2);
    for (const sessionId of ids) await workspace.call('terminal_close', { sessionId });
    await expect.poll(() => heldTerminals(process.pid), { timeout: 30_000 }).toBe(before);
  },
);

describe('what runs in it', () => {
  test('python3 and node are heard and answered, and leave the shell as it was', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace);
    expect(await send(workspace, id, 'python3 -q')).toMatch(/>>> \n\[wait: stdin_read\]/);
    expect(await send(workspace, id, 'x = 6 * 7')).toContain(`>>> ${READY}`);
    expect(await send(workspace, id, 'print(x)')).toContain('\n42\n');
    expect(await send(workspace, id, 'input("name? ")')).toContain(`name? ${READY}`);
    expect(await send(workspace, id, 'Ada')).toContain("'Ada'");
    expect(await send(workspace, id, 'exit()')).toContain('everturn> ');
    expect(await send(workspace, id, 'NODE_REPL_HISTORY= node')).toMatch(/\n> \n\[wait: stdin_read\]/);
    expect(await send(workspace, id, '[1, 2].map((n) => n * 21)')).toContain('[ 21, 42 ]');
    expect(await send(workspace, id, '.exit')).toContain('everturn> ');
  });

  test('cat waits for input; signals reach the foreground and spare the shell', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace, {}, hasty);
    expect(await send(workspace, id, 'cat')).toBe(`cat${READY.replace('\n', '\n\n')}`);
    const signal = (name: string) => workspace.call('terminal_signal', { sessionId: id, signal: name });
    expect((await signal('SIGINT')).text).toMatch(/^delivered SIGINT to foreground process group \d+$/);
    expect(await send(workspace, id, 'echo $?')).toContain('130');
    expect(await signal('SIGKILL')).toMatchObject({ isError: true, text: expect.stringContaining('terminal_close') });
    await send(workspace, id, 'sleep 600');
    expect((await signal('SIGKILL')).text).toMatch(/^delivered SIGKILL/);
    expect(await send(workspace, id, 'echo $?')).toContain('137');
  });

  test('a silent program counts as idle, a busy one meets the time limit, and late output is not the next answer', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace, {}, hasty);
    const brief = { settings: ToolSettings.parse({ terminal: { sendTimeoutMs: 300 } }) };
    const busy = { sessionId: id, text: 'for i in {1..60}; do echo $i; sleep 0.01; done' };
    expect((await workspace.call('terminal_send', busy, brief)).text).toContain('[wait: timeout]');
    expect(await send(workspace, id, 'sleep 1.2; echo late')).toContain('[wait: inferred_idle]');
    expect(await send(workspace, id, 'echo now')).toMatch(/late\n[\s\S]*now\n(everturn> )?\n\[wait: stdin_read\]/);
    expect(await send(workspace, id, 'echo next')).toBe(`echo next\nnext\neverturn> ${READY}`);
  });

  test('a cancel interrupts it and leaves the terminal usable', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace);
    const cancel = new AbortController();
    const sent = workspace.call('terminal_send', { sessionId: id, text: 'sleep 600' }, { signal: cancel.signal });
    const again = await workspace.call('terminal_send', { sessionId: id, text: 'x' });
    expect(again).toMatchObject({ code: 'SEND_ACTIVE', text: `Error: PTY session ${id} already has an active send` });
    await expect
      .poll(() => workspace.call('terminal_read', { sessionId: id }).then(({ text }) => text))
      .toContain('sleep 600');
    cancel.abort();
    expect(await sent).toMatchObject({ isError: true, text: 'Error: terminal send aborted' });
    expect(await send(workspace, id, 'echo still here')).toContain('still here\neverturn> ');
    const before = AbortSignal.abort();
    expect(
      await workspace.call('terminal_send', { sessionId: id, text: 'touch no' }, { signal: before }),
    ).toMatchObject({
      code: 'ABORTED_BEFORE_DISPATCH',
    });
    expect(await send(workspace, id, 'ls no')).toContain('No such file');
  });
});

describe('its end', () => {
  test('takes background children along that ignore SIGTERM or left the session', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace, {}, hasty);
    await send(workspace, id, `(trap '' TERM HUP; echo one=$BASHPID; while :; do sleep 1; done) &`);
    await send(workspace, id, `setsid bash -c "trap '' TERM HUP; echo two=\\$\\$ > two; while :; do sleep 1; done" &`);
    await expect.poll(() => send(workspace, id, 'cat two')).toMatch(/two=\d+/);
    const all = (await workspace.call('terminal_read', { sessionId: id })).text;
    const children = [...all.matchAll(/(?:one|two)=(\d+)/g)].map(([, pid]) => Number(pid));
    expect(await Promise.all(children.map(isRunning))).toEqual(children.map(() => true));
    expect(children.length).toBeGreaterThanOrEqual(2);
    await workspace.call('terminal_close', { sessionId: id });
    expect(await Promise.all(children.map(isRunning))).toEqual(children.map(() => false));
  });

  test('comes with the session, and a send that waits then is told', async () => {
    const workspace = await openWorkspace();
    const id = await open(workspace);
    const sent = workspace.call('terminal_send', { sessionId: id, text: 'sleep 600' });
    await expect
      .poll(() => workspace.call('terminal_read', { sessionId: id }).then(({ text }) => text))
      .toContain('sleep');
    await workspace.world.endSession(SESSION);
    expect((await sent).text).toContain('[wait: session_exit]\n[session: exited code=null signal=');
    expect((await workspace.call('terminal_list', {})).text).toBe('(no terminal sessions)');
  });

  test('comes with the worker: the next one says so, and gives no number again', async () => {
    const dataDir = temporaryDirectory();
    const before = await openWorkspace({ dataDir });
    const id = await open(before);
    await before.world.dispose();
    const after = await openWorkspace({ dataDir });
    expect(await after.call('terminal_send', { sessionId: id, text: 'x' })).toMatchObject({
      code: 'NO_SESSION',
      text: 'Error: unknown PTY session pty-1: it was closed, or ended with the worker that held it',
    });
    expect(await after.call('terminal_read', { sessionId: 'pty-2' })).toMatchObject({
      text: 'Error: unknown PTY session pty-2',
    });
    expect(await open(after)).toBe('pty-2');
  });
});

test('what is asked for wrongly is refused, and nothing is opened', async () => {
  const workspace = await openWorkspace();
  const opened = (args: object) => workspace.call('terminal_open', args);
  expect(await opened({ type: ' ' })).toMatchObject({ isError: true, text: 'Error: type must be a non-empty string' });
  expect(await opened({ type: 'tmux' })).toMatchObject({ code: 'NO_BACKEND' });
  expect(await opened({ type: 'shell', cwd: 'nowhere' })).toMatchObject({ isError: true });
  expect((await opened({ type: 'shell', cwd: 'a\0b' })).text).toBe('Error: cwd must not contain NUL characters');
  expect(await opened({ type: 'pwsh' })).toMatchObject({ text: expect.stringContaining('install PowerShell 7') });
  expect((await workspace.call('terminal_list', {})).text).toBe('(no terminal sessions)');
  const id = await open(workspace, { name: 'one' });
  expect(await opened({ type: 'shell', name: 'one' })).toMatchObject({ code: 'DUPLICATE_NAME' });
  const read = (args: object) => workspace.call('terminal_read', { sessionId: id, ...args });
  expect((await read({ offset: -1 })).text).toBe('Error: offset must be a non-negative safe integer');
  expect((await read({ offset: 1_000_000 })).text).toMatch(/^\(no retained output\)\n\[lines: 0-0 of \d+\]$/);
  expect((await read({ count: 0 })).text).toBe('Error: count must be a positive safe integer');
  expect((await workspace.call('terminal_close', { sessionId: '' })).text).toBe(
    'Error: sessionId must be a non-empty string',
  );
  expect((await workspace.call('terminal_send', { sessionId: id, text: 'x', run_in_background: true })).text).toBe(
    'Error: background jobs unavailable: load a job service to use run_in_background',
  );
});

test('a shell that ends at once is told, and leaves nothing; of two that close a terminal one was first', async () => {
  const failing = await openWorkspace({ pwsh: '/bin/false' });
  expect(await failing.call('terminal_open', { type: 'pwsh' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('PTY shell exited during startup'),
  });
  expect((await failing.call('terminal_list', {})).text).toBe('(no terminal sessions)');
  const script = join(temporaryDirectory(), 'silent');
  writeFileSync(script, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const silent = await openWorkspace({ pwsh: script });
  // Saying nothing is no prompt.
  const settings = ToolSettings.parse({ terminal: { readyTimeoutMs: 300 } });
  expect(await silent.call('terminal_open', { type: 'pwsh' }, { settings })).toMatchObject({
    isError: true,
    text: expect.stringContaining('300'),
  });
  expect((await silent.call('terminal_list', {})).text).toBe('(no terminal sessions)');
  const workspace = await openWorkspace();
  const sessionId = await open(workspace);
  const both = await Promise.all([1, 2].map(() => workspace.call('terminal_close', { sessionId })));
  expect(both.map(({ text }) => text)).toEqual([
    `closed terminal session ${sessionId}`,
    `terminal session ${sessionId} was already closing`,
  ]);
  expect(await workspace.call('terminal_read', { sessionId })).toMatchObject({ code: 'NO_SESSION' });
});

const noRunner = await missing('bubblewrap');
test.skipIf(noRunner !== '')(
  `a confined shell keeps to its workspace and is heard all the same${noRunner}`,
  async () => {
    const workspace = await openWorkspace();
    const confined = { sandbox: { mode: 'workspace-write' as const } };
    const id = await open(workspace, {}, confined);
    const say = async (text: string, as: object = confined) =>
      (await workspace.call('terminal_send', { sessionId: id, text }, as)).text;
    expect(await say('echo in > inside; cat inside')).toContain(`\nin\neverturn> ${READY}`);
    expect(await say('touch /usr/outside')).toContain('Read-only file system');
    expect(await say('cat')).toContain('[wait: stdin_read]');
    expect((await workspace.call('terminal_signal', { sessionId: id, signal: 'SIGINT' })).isError).toBe(false);
    expect(await say('echo $?')).toContain('130');
    expect(await say('pwd', {})).toMatch(
      /was opened under workspace-write mode and the session is in danger-full-access/,
    );
    const kept = (command: string) => workspace.call('persistent-shell:bash', { command }, confined);
    expect((await kept('cd /usr && pwd')).text).toBe('/usr');
    expect((await kept('touch outside')).text).toMatch(/Read-only file system\n\[exit code: 1\]$/);
    // Under another mode there is another shell, which says so.
    const freed = (await workspace.call('persistent-shell:bash', { command: 'pwd' })).text;
    expect(freed).toMatch(new RegExp(`^\\[the shell of the calls before is gone[^\\n]*\\]\\n${workspace.cwd}$`));
  },
);

test('secrets of the worker and masters of other terminals are out of reach', async () => {
  const environment = {
    PATH: process.env['PATH'],
    OPENAI_API_KEY: 'sk-hush',
    DATABASE_URL: 'postgres://u:pw-hush@h/d',
  };
  const workspace = await openWorkspace({ environment });
  const first = await open(workspace);
  const second = await open(workspace);
  const env = await send(workspace, second, 'env; tr "\\0" "\\n" < /proc/$PPID/environ');
  expect(env).not.toMatch(/hush/);
  expect(env).toMatch(/EVERTURN_SHELL=1/);
  expect(env).toMatch(new RegExp(`EVERTURN_PTY_SESSION_ID=${second}`));
  for (const id of [first, second]) expect(await send(workspace, id, 'ls -l /proc/$$/fd')).not.toContain('ptmx');
  expect((await workspace.call('bash', { command: 'ls -l /proc/self/fd', description: 'x' })).text).not.toContain(
    'ptmx',
  );
});

test('nothing of all this is left: no shell, no child, no host', async () => {
  expect(shells.size).toBeGreaterThan(10);
  expect(await Promise.all([...shells].map(isRunning))).toEqual([...shells].map(() => false));
  const children = await Promise.all([...Array(20).keys()].map((n) => pidsOf('EVERTURN_PTY_SESSION_ID', `pty-${n}`)));
  expect(children.flat()).toEqual([]);
});
