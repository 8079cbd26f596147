import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CallId, SandboxMode, SessionId } from '@everturn/core/domain';
import { describe, expect, test, vi } from 'vitest';
import { missing } from '../../test/runners.ts';
import { isRunning, openWorkspace, SESSION, temporaryDirectory } from '../../test/workspace.ts';
import { bodies } from '../activity.ts';
import { confinePorts, runCall, ToolSettings } from '../kit/index.ts';
import { findBubblewrap } from '../world/sandbox/find-bubblewrap.ts';
import { LocalSandbox } from '../world/sandbox/local-sandbox.ts';
import { bash } from './schema.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy
const POLL = { timeout: 30_000 };

const WORKER = fileURLToPath(new URL('../../test/worker-with-output.ts', import.meta.url));
const description = 'Try it';
const shell = (overrides: Record<string, unknown>) => ({ settings: ToolSettings.parse({ shell: overrides }) });

describe('deadline and cancel', () => {
  test('a deadline is an ordinary result', async () => {
    const { call } = await openWorkspace();
    expect(await call('bash', { command: 'sleep 600', description, timeoutMs: 100 })).toEqual({
      text: '(no output)\n[timed out after 100ms]\n[killed by signal: SIGTERM]',
      isError: false,
    });
  });

  test('the largest deadline of the deployment counts and is shown', async () => {
    const { call } = await openWorkspace();
    const result = await call(
      'bash',
      { command: 'sleep 600', description, timeoutMs: 90_000 },
      shell({ maxTimeoutMs: 50 }),
    );
    expect(result.text).toBe('(no output)\n[timed out after 50ms]\n[killed by signal: SIGTERM]');
  });

  test('a command that traps the signal and ends well shows the deadline only', async () => {
    const { call } = await openWorkspace();
    const command = `trap 'exit 0' TERM; while :; do read -t 0.05 <> <(:); done`;
    expect((await call('bash', { command, description, timeoutMs: 200 })).text).toMatch(/\[timed out after 200ms\]$/);
  });

  test('a cancel ends the command, whatever it has started, and its output is dropped', async () => {
    const { call, cwd } = await openWorkspace();
    const controller = new AbortController();
    const command = 'echo out; (trap "" TERM; while :; do sleep 0.05; done) & echo $! > pid; echo ready > ready; wait';
    const running = call('bash', { command, description }, { signal: controller.signal, ...shell({ graceMs: 200 }) });
    await expect.poll(() => readFileSync(join(cwd, 'ready'), 'utf8'), POLL).toBe('ready\n');
    controller.abort(new Error('user'));
    expect(await running).toEqual({ text: 'Error: tool call aborted', isError: true, code: 'ABORTED' });
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    expect(await isRunning(pid)).toBe(false);
  });

  test('a call that was cancelled before starts nothing', async () => {
    const { call } = await openWorkspace();
    expect(await call('bash', { command: 'touch x', description }, { signal: AbortSignal.abort() })).toEqual({
      text: 'Error: tool call aborted before dispatch',
      isError: true,
      code: 'ABORTED_BEFORE_DISPATCH',
    });
  });
});

describe('commands that would never end', () => {
  test.each([
    ['sleep 600 & echo started', 'started\n'],
    ['cat', '(no output)'],
    ['read v </dev/tty; echo got', null],
  ])('%s', async (command, text) => {
    const { call } = await openWorkspace();
    const began = performance.now();
    const result = await call('bash', { command, description });
    expect(performance.now() - began).toBeLessThan(4_000); // 1 s of it waiting for the pipe
    if (text !== null) expect(result).toEqual({ text, isError: false });
    else expect(result.text).toMatch(/^got\n\[stderr\]\n.*\/dev\/tty/s);
  });

  test('a background loop that keeps writing runs on and ends with its session', async () => {
    const { call, cwd, world } = await openWorkspace();
    const command = '(while :; do echo x; date +%N > tick; sleep 0.05; done) & echo $! > pid; echo started';
    const result = await call('bash', { command, description });
    expect(result.text).toMatch(/^(?:x\n)*started\n(?:x\n)*$/);
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    const before = readFileSync(join(cwd, 'tick'), 'utf8');
    await expect.poll(() => readFileSync(join(cwd, 'tick'), 'utf8'), POLL).not.toBe(before);
    await world.endSession('another-session' as SessionId);
    expect(await isRunning(pid)).toBe(true);
    await world.endSession(SESSION);
    expect(await isRunning(pid)).toBe(false);
  });
});

describe('long output', () => {
  test('700 MB: head, tail and size, in constant memory', { timeout: 180_000 }, async () => {
    // In a process of its own, so that no other test counts.
    const worker = spawn(process.execPath, ['--expose-gc', WORKER, 'yes 0123456789abcdef | head -c 700000000']);
    const [stdout, stderr] = await Promise.all([readAll(worker.stdout), readAll(worker.stderr)]);
    expect(stderr).toBe('');
    const { result, growthBytes, looks } = JSON.parse(stdout) as {
      result: { text: string };
      growthBytes: number;
      looks: number;
    };
    expect(result).toEqual({ text: expect.any(String), isError: false });
    expect(result.text.slice(0, 34)).toBe('0123456789abcdef\n0123456789abcdef\n');
    expect(result.text).toContain('[… cut here: 700000000 bytes in all, their end follows …]');
    expect(result.text).toMatch(/\n[0-9a-f]*\n\[output truncated; full output: \(unavailable\)\]\n\n\(Omitted /);
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(50_000);
    expect(looks).toBeGreaterThan(2);
    expect(growthBytes).toBeLessThan(16 * 1024 * 1024);
  });

  test('the exit is shown also where the end of the text was cut away', () => {
    const result = { content: [{ type: 'text' as const, text: 'x\n\n(Omitted 1 bytes.)' }], isError: false };
    expect(bash.presentResult?.({ command: 'x' }, { ...result, meta: { exitCode: 3, signal: null } })).toMatchObject({
      exit: { code: 3 },
    });
    expect(
      bash.presentResult?.({ command: 'x' }, { ...result, meta: { exitCode: null, signal: 'SIGTERM' } }),
    ).toMatchObject({
      exit: { signal: 'SIGTERM' },
    });
  });

  test('over the inline limit: both ends and where the whole lies', async () => {
    const { call } = await openWorkspace();
    const { text } = await call('bash', { command: 'seq 1 12000', description });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50_000);
    const [, locator] = /Full formatted result stored at: (\S+)\. /.exec(text) ?? [];
    expect(readFileSync(locator ?? '', 'utf8').endsWith('12000\n')).toBe(true);
    expect(text.startsWith('1\n2\n3\n')).toBe(true);
  });

  test('a copy of all of it while that is short enough', async () => {
    const { call } = await openWorkspace();
    const { text } = await call('bash', { command: 'seq 1 30', description }, shell({ maxOutputBytes: 9 }));
    const [, path] = /full output: (\S+)\]$/.exec(text) ?? [];
    expect(readFileSync(path ?? '', 'utf8')).toBe(`${Array.from({ length: 30 }, (_, n) => n + 1).join('\n')}\n`);
    expect(text).toContain('their end follows …]\n28\n29\n30\n[output truncated');
  });
});

describe('confined', async () => {
  const note = await missing('bubblewrap');
  const hint =
    '[sandbox: escalation available — retry this exact command once with sandbox_permissions (the narrowest wider mode that suffices) + justification; the approval prompt asks the user]';

  test.skipIf(note).each([
    [
      'touch f',
      'read-only',
      `[stderr]\ntouch: cannot touch 'f': Read-only file system\n[sandbox: file access denied under read-only mode]\n${hint}\n[exit code: 1]`,
    ],
    ['echo x > f; cat f', 'workspace-write', 'x\n'],
    [`echo 'Read-only file system' >&2; true`, 'read-only', '[stderr]\nRead-only file system\n'],
    [`echo 'Permission denied' >&2; exit 1`, 'read-only', '[stderr]\nPermission denied\n[exit code: 1]'],
  ] as const)(`%s under %s${note}`, async (command, mode, text) => {
    const { call } = await openWorkspace();
    expect(await call('bash', { command, description }, { sandbox: { mode } })).toEqual({ text, isError: false });
  });

  test.skipIf(note)(`programs get what happened as data, with what confined it${note}`, async () => {
    const { context } = await openWorkspace();
    const valueOf = async (command: string, mode: SandboxMode) => {
      const given = context({ sandbox: { mode }, parent: 'program' as CallId });
      return (await runCall({ body: bodies.get('bash')!, args: { command, description }, context: given })).value;
    };
    const ended = { kind: 'foreground', signal: null, timedOut: false, aborted: false, timeoutMs: 60_000 };
    const nothing = { text: '', truncated: false };
    expect(await valueOf('echo out', 'danger-full-access')).toEqual({
      ...ended,
      exitCode: 0,
      stdout: { text: 'out\n', truncated: false },
      stderr: nothing,
      sandbox: { mode: 'danger-full-access', denied: false },
    });
    expect(await valueOf('touch f', 'read-only')).toEqual({
      ...ended,
      exitCode: 1,
      stdout: nothing,
      stderr: { text: expect.stringContaining('Read-only file system'), truncated: false },
      sandbox: { mode: 'read-only', denied: true, enforcement: 'full' },
    });
  });

  test.skipIf(note)(`jobs that overlap keep each to its own mode, and say what it denied${note}`, async () => {
    const { context, cwd } = await openWorkspace();
    const start = (mode: SandboxMode) => {
      const given = context({ sandbox: { mode } });
      const args = { command: `until [ -e go ]; do sleep 0.02; done; touch ${mode}`, description };
      const confined = { ...given, ports: confinePorts(given.ports, given.sandbox) };
      return bodies.get('bash')!.startJob!({ ...args, run_in_background: true }, confined);
    };
    const jobs = await Promise.all([start('read-only'), start('workspace-write')]);
    writeFileSync(join(cwd, 'go'), '');
    const completed = (code: number) => ({ state: 'completed', detail: `exit code: ${code}` });
    expect(await Promise.all(jobs.map(({ outcome }) => outcome))).toEqual([completed(1), completed(0)]);
    expect(jobs.map((job) => job.read().notice)).toEqual([
      `[sandbox: file access denied under read-only mode]\n${hint}`,
      undefined,
    ]);
    expect([existsSync(join(cwd, 'read-only')), existsSync(join(cwd, 'workspace-write'))]).toEqual([false, true]);
  });

  test('where nothing can confine, nothing runs', async () => {
    const { call, cwd } = await openWorkspace({ sandbox: new LocalSandbox({ searchPath: '', probeTimeoutMs: 1_000 }) });
    const refused = await call('bash', { command: 'touch f', description }, { sandbox: { mode: 'workspace-write' } });
    expect(refused).toMatchObject({ isError: true, code: 'SANDBOX_UNAVAILABLE' });
    expect(existsSync(join(cwd, 'f'))).toBe(false);
  });

  test('a runner that fails after its probe: no result in the foreground, a notice of the job in the background', async () => {
    const folder = temporaryDirectory();
    const script = 'case "$*" in *" true") exit 0;; esac\necho "bwrap: out of namespaces" >&2\nexit 1';
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { call, context, cwd } = await openWorkspace({
      sandbox: new LocalSandbox({ searchPath: folder, probeTimeoutMs: 20_000 }, [findBubblewrap]),
    });
    const sandbox = { mode: 'workspace-write' } as const;
    const args = { command: 'touch f', description };
    expect(await call('bash', args, { sandbox })).toMatchObject({ isError: true, code: 'SANDBOX_UNAVAILABLE' });
    const given = context({ sandbox });
    const confined = { ...given, ports: confinePorts(given.ports, given.sandbox) };
    const job = await bodies.get('bash')!.startJob!({ ...args, run_in_background: true }, confined);
    expect(await job.outcome).toEqual({ state: 'completed', detail: 'exit code: 1' });
    expect(job.read()).toMatchObject({
      notice: '[sandbox: the sandbox runner itself failed under workspace-write mode; the command did not run]',
    });
    expect(existsSync(join(cwd, 'f'))).toBe(false);
  });

  test('a runner that is gone after its probe: nothing runs, in the foreground or as a job', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const sandbox = new LocalSandbox({ searchPath: folder, probeTimeoutMs: 20_000 }, [findBubblewrap]);
    const { call, context } = await openWorkspace({ sandbox });
    const confined = { sandbox: { mode: 'read-only' } as const };
    const args = { command: 'true', description };
    expect(await call('bash', args, confined)).toMatchObject({ isError: false });
    rmSync(join(folder, 'bwrap'));
    const told = expect.stringContaining(`cannot start "${join(folder, 'bwrap')}": it is not an executable file`);
    expect(await call('bash', args, confined)).toMatchObject({ code: 'SANDBOX_UNAVAILABLE', text: told });
    const given = context(confined);
    const started = bodies.get('bash')!.startJob!(
      { ...args, run_in_background: true },
      { ...given, ports: confinePorts(given.ports, given.sandbox) },
    );
    await expect(started).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  });

  test('a bad folder is told as such, not as a failed runner', async () => {
    const { call } = await openWorkspace();
    const args = { command: 'true', description, workdir: 'nowhere' };
    expect(await call('bash', args, { sandbox: { mode: 'read-only' } })).toMatchObject({
      isError: true,
      text: expect.stringContaining('cannot be used (ENOENT)'),
    });
  });

  test('what a person granted runs in the wider mode', async () => {
    const { call } = await openWorkspace();
    const args = {
      command: 'echo $((1+1))',
      description,
      sandbox_permissions: 'danger-full-access',
      justification: 'y',
    };
    const sandbox = { mode: 'danger-full-access', granted: 'danger-full-access' } as const;
    expect(await call('bash', args, { sandbox })).toEqual({ text: '2\n', isError: false });
  });
});
