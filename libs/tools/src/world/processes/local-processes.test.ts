import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRunning, temporaryDirectory, untouched } from '../../../test/workspace.ts';
import type { RunProcessInput } from '../../kit/index.ts';
import { LocalSandbox } from '../sandbox/local-sandbox.ts';
import { GroupRegistry } from './group-registry.ts';
import { LocalProcesses } from './local-processes.ts';

vi.setConfig({ testTimeout: 20_000 }); // real processes on a machine that may be busy
const POLL = { timeout: 30_000 };

const quiet = { text: '', truncated: false, totalBytes: 0 };

async function setUp() {
  const registry = await GroupRegistry.open(undefined);
  onTestFinished(() => registry.dispose(200));
  const cwd = temporaryDirectory();
  const inherited = { PATH: process.env['PATH'] ?? '' };
  const processes = new LocalProcesses({
    registry,
    sandbox: new LocalSandbox({ searchPath: inherited.PATH, probeTimeoutMs: 20_000 }),
    inherited,
    outputFolder: temporaryDirectory(),
  });
  const run = (argv: string[], overrides: Partial<RunProcessInput> = {}) =>
    processes.run({
      argv,
      cwd,
      signal: untouched(),
      graceMs: 300,
      maxOutputBytes: { stdout: 10, stderr: 10 },
      maxSpillBytes: 1_000,
      ...overrides,
    });
  return { cwd, run };
}
const sh = (script: string) => ['sh', '-c', script];

describe('output', () => {
  test('exactly the limit is not truncated', async () => {
    const { run } = await setUp();
    expect((await run(sh('printf 0123456789'))).stdout).toEqual({
      text: '0123456789',
      truncated: false,
      totalBytes: 10,
    });
  });

  test('one piece over the limit: its end, its beginning, and a private copy of all', async () => {
    const { run } = await setUp();
    const { stdout } = await run(sh('printf 0123456789abcdef'));
    expect(stdout).toMatchObject({ text: '6789abcdef', truncated: true, totalBytes: 16, head: '012345' });
    const path = stdout.spillPath ?? '';
    expect(readFileSync(path, 'utf8')).toBe('0123456789abcdef');
    expect(path).toMatch(/\/everturn-subprocess-\d+-\d+-[0-9a-f]{12}-stdout\.log$/);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test('many pieces: the exact end, whatever the pieces', async () => {
    const { run } = await setUp();
    const { stdout } = await run(sh('for n in 1 2 3 4 5 6 7; do printf "${n}aaaaaa"; sleep 0.01; done'));
    expect(stdout).toMatchObject({ text: 'aaa7aaaaaa', totalBytes: 49 });
  });

  test('a copy that grows too long is given up and deleted', async () => {
    const { run } = await setUp();
    const { stdout } = await run(sh('printf 0123456789abcdef'), { maxSpillBytes: 12 });
    expect(stdout).toEqual({ text: '6789abcdef', truncated: true, totalBytes: 16, head: '012345' });
  });

  test.each([[9], [10], [11], [12]])('an end of %d bytes never halves an emoji', async (limit) => {
    const { run } = await setUp();
    const { stdout } = await run(['printf', 'xxxx🙂12345678'], { maxOutputBytes: { stdout: limit, stderr: 10 } });
    expect(stdout.text).toBe(limit === 12 ? '🙂12345678' : '12345678');
  });

  test('stderr is kept apart', async () => {
    const { run } = await setUp();
    const { stdout, stderr } = await run(sh('printf out; printf err >&2'));
    expect([stdout.text, stderr.text]).toEqual(['out', 'err']);
  });
});

describe('start', () => {
  test('arguments are not seen by a shell', async () => {
    const { run } = await setUp();
    expect((await run(['printf', '%s', '$(id)'])).stdout.text).toBe('$(id)');
  });

  test('input is given and ended, or empty', async () => {
    const { run } = await setUp();
    expect((await run(['cat'], { stdin: 'hello' })).stdout.text).toBe('hello');
    expect((await run(['cat'])).stdout).toEqual(quiet);
    expect((await run(['true'], { stdin: 'x'.repeat(1_000_000) })).exitCode).toBe(0);
  });

  test('explicit variables win, undefined takes away', async () => {
    const { run } = await setUp();
    const limits = { maxOutputBytes: { stdout: 1_000, stderr: 10 } };
    const environment = { PATH: '/usr/bin:/bin', API_KEY: 'given', GONE: undefined };
    const { stdout } = await run(['env'], { environment, ...limits });
    expect(stdout.text.split('\n').toSorted()).toEqual([
      '',
      'API_KEY=given',
      expect.stringMatching(/^EVERTURN_PROCESS_OWNER=[0-9a-f]{24}$/),
      'PATH=/usr/bin:/bin',
    ]);
  });

  test.each<[string, string[], Partial<RunProcessInput>, RegExp]>([
    ['nothing', [], {}, /the program is empty/],
    ['an empty program', [''], {}, /the program is empty/],
    ['an unknown program', ['no-such-program'], {}, /"no-such-program": it is not on PATH/],
    ['a relative program', ['./x'], {}, /give a bare name or an absolute path/],
    ['a directory as program', ['/etc'], {}, /"\/etc": it is not an executable file/],
    ['a bad directory', ['true'], { cwd: '/nowhere' }, /working directory "\/nowhere" cannot be used \(ENOENT\)/],
    ['a file as directory', ['true'], { cwd: '/etc/passwd' }, /"\/etc\/passwd" is not a directory/],
    ['a cancel before', ['true'], { signal: AbortSignal.abort(new Error('user')) }, /^aborted before spawn: user$/],
    ['no grace', ['true'], { graceMs: 0 }, /graceMs must be in/],
    ['endless grace', ['true'], { graceMs: Infinity }, /graceMs must be in/],
  ])('refuses %s', async (_name, argv, overrides, message) => {
    const { run } = await setUp();
    await expect(run(argv, overrides)).rejects.toThrow(message);
  });
});

describe('end', () => {
  test('a child that kills itself was neither timed out nor cancelled', async () => {
    const { run } = await setUp();
    expect(await run(sh('kill -9 $$'))).toEqual({
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: false,
      aborted: false,
      stdout: quiet,
      stderr: quiet,
    });
  });

  test('a child that ignores SIGTERM dies at its grace', async () => {
    const { run } = await setUp();
    const began = performance.now();
    const outcome = await run(sh('trap "" TERM; while :; do sleep 0.02; done'), { timeoutMs: 50 });
    expect(outcome).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true, aborted: false });
    expect(performance.now() - began).toBeGreaterThan(300);
  });

  test('a grandchild that ignores SIGTERM dies too, after its parent', async () => {
    const { cwd, run } = await setUp();
    await run(sh('(trap "" TERM; echo $$ > /dev/null; while :; do sleep 0.02; done) & echo $! > pid; sleep 600'), {
      timeoutMs: 200,
    });
    expect(await isRunning(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
  });

  test('the first cause is the one that is told', async () => {
    const { cwd, run } = await setUp();
    const controller = new AbortController();
    const script = sh('trap "" TERM; touch ready; while :; do sleep 0.02; done');
    const running = run(script, { timeoutMs: 2_000, graceMs: 2_500, signal: controller.signal });
    await expect.poll(() => existsSync(join(cwd, 'ready')), POLL).toBe(true);
    controller.abort();
    expect(await running).toMatchObject({ timedOut: false, aborted: true });
  });

  test('a reader that needs all or nothing ends a program that says too much', async () => {
    const { run } = await setUp();
    const outcome = await run(['yes'], { stopOnOverflow: true, maxSpillBytes: 0 });
    expect(outcome.stdout.truncated).toBe(true);
    expect(outcome).toMatchObject({ timedOut: false, aborted: false });
  });
});

test.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv'))(
  'what became another user’s and cannot be ended is told of, and nobody waits for it',
  async () => {
    const { run } = await setUp();
    const folder = temporaryDirectory();
    chmodSync(folder, 0o777);
    const entry = fileURLToPath(new URL('../../../test/worker-with-others-command.ts', import.meta.url));
    const argv = [process.execPath, '--no-warnings', entry, folder];
    const worker = await run(argv, { maxOutputBytes: { stdout: 10_000, stderr: 10_000 }, timeoutMs: 20_000 });
    expect({ ...worker, stdout: undefined }).toMatchObject({ exitCode: 0, stderr: quiet });
    expect(JSON.parse(worker.stdout.text)).toEqual({
      ofRun: {
        exitCode: null,
        signal: null,
        timedOut: false,
        aborted: true,
        unended: true,
        stdout: { text: 'said\n', truncated: false, totalBytes: 5 },
        stderr: quiet,
      },
      ofStart: { exitCode: null, signal: null, stderrTail: '', unended: true },
    });
  },
);
