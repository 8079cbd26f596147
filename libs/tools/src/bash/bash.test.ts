import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import { describe, expect, test, vi } from 'vitest';
import { openWorkspace, temporaryDirectory } from '../../test/workspace.ts';
import { ManagedEnvironment, ToolSettings } from '../kit/index.ts';
import { formatOutcome, type FormatOutcomeInput } from '../kit/index.ts';
import { bash } from './schema.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

const description = 'Try it';
const shell = (overrides: Record<string, unknown>) => ({ settings: ToolSettings.parse({ shell: overrides }) });

describe('result text', () => {
  test.each([
    [`printf 'out\\n'; printf 'err\\n' >&2`, 'out\n[stderr]\nerr\n'],
    [`printf out; printf err >&2`, 'out\n[stderr]\nerr'],
    ['echo failing; exit 3', 'failing\n[exit code: 3]'],
    ['true', '(no output)'],
    ['exit 7', '(no output)\n[exit code: 7]'],
    ['kill -KILL $$', '(no output)\n[killed by signal: SIGKILL]'],
    ['kill -TERM $$', '(no output)\n[killed by signal: SIGTERM]'],
    ['yes | head -n 1', 'y\n'],
    [`printf 'a\\0b'`, 'a\0b'],
    [`printf 'a\\xffb'`, 'a\uFFFDb'],
    [`printf '\\033]52;c;cHduZWQ=\\007'`, '\u001B]52;c;cHduZWQ=\u0007'],
    ["cat <<'E'\nhi\nE", 'hi\n'],
    ['not-a-command-at-all 2>/dev/null', '(no output)\n[exit code: 127]'],
  ])('%s', async (command, text) => {
    const { call } = await openWorkspace();
    expect(await call('bash', { command, description })).toEqual({ text, isError: false });
  });

  const quiet = { text: '', truncated: false };
  const outcome = (given: Partial<FormatOutcomeInput>) =>
    formatOutcome({
      exitCode: 0,
      signal: null,
      timedOut: false,
      timeoutMs: 100,
      stdout: quiet,
      stderr: quiet,
      ...given,
    });

  test.each<[string, Partial<FormatOutcomeInput>, string]>([
    [
      'cut, no copy',
      { stdout: { text: 'tail', truncated: true } },
      'tail\n[output truncated; full output: (unavailable)]',
    ],
    [
      'cut, with its beginning, size and copy',
      { stdout: { text: 'tail', truncated: true, head: 'head', totalBytes: 99, spillPath: '/s' } },
      'head\n[… cut here: 99 bytes in all, their end follows …]\ntail\n[output truncated; full output: /s]',
    ],
    [
      'everything at once, in order',
      {
        stdout: { text: 'o', truncated: true },
        stderr: { text: 'e', truncated: true, spillPath: '/e' },
        timedOut: true,
        signal: 'SIGTERM',
        exitCode: null,
      },
      'o\n[stderr]\ne\n[output truncated; full output: (unavailable)]\n[output truncated; full output: /e]\n[timed out after 100ms]\n[killed by signal: SIGTERM]',
    ],
    ['a trapped signal after the deadline', { timedOut: true }, '(no output)\n[timed out after 100ms]'],
  ])('%s', (_name, given, text) => {
    expect(outcome(given)).toBe(text);
  });

  test('the exit shown is the last marker on its own line, never what a command printed', () => {
    const exitOf = (output: string) => {
      const view = bash.presentResult?.(
        { command: 'x' },
        { content: [{ type: 'text', text: output }], isError: false },
      );
      return view?.card === 'terminal' ? view.exit : undefined;
    };
    expect(exitOf('[exit code: 5]')).toEqual({ code: 0 });
    expect(exitOf('[exit code: 5]\n')).toEqual({ code: 0 });
    expect(exitOf('x\n[exit code: 5]')).toEqual({ code: 5 });
    expect(exitOf('x\n[killed by signal: SIGTERM]')).toEqual({ signal: 'SIGTERM' });
    expect(bash.presentResult?.({ cmd: 1 }, { content: [], isError: false })).toBeUndefined();
  });
});

describe('refused', () => {
  test.each([
    [{ command: ' ', description }, 'Error: invalid command: expected a non-empty string'],
    [{ command: 'true', description: '' }, 'Error: invalid description: expected a non-empty string'],
    [{ command: 'a\0b', description }, 'Error: invalid command: expected a string without NUL characters'],
    [
      { command: 'true', description, workdir: '/a\0b' },
      'Error: invalid workdir: expected a string without NUL characters',
    ],
    [{ command: 'true', description, timeoutMs: 0 }, 'Error: invalid timeoutMs: expected a positive number, got 0'],
    [{ command: 'true', description, timeoutMs: -1 }, 'Error: invalid timeoutMs: expected a positive number, got -1'],
    [
      { command: 'true', description, run_in_background: true },
      'Error: background jobs unavailable: load a job service to use run_in_background',
    ],
    [
      { command: 'true', description, sandbox_permissions: 'danger-full-access', justification: 'why' },
      'Error: sandbox_permissions was not granted for this call, so nothing was run',
    ],
  ])('%j', async (args, text) => {
    const { call } = await openWorkspace();
    expect(await call('bash', args)).toEqual({ text, isError: true });
  });

  test('a command line longer than the system takes', async () => {
    const { call } = await openWorkspace();
    expect(await call('bash', { command: `: ${'x'.repeat(3_000_000)}`, description })).toEqual({
      text: 'Error: cannot start "bash": the arguments are longer than the system allows; put them into a file',
      isError: true,
    });
  });

  test('arguments of the wrong type, all of them named', async () => {
    const { call } = await openWorkspace();
    expect(await call('bash', { command: 1, timeoutMs: 'x' })).toEqual({
      text: 'Error: invalid arguments: missing required property "description"; "command" must be a string; "timeoutMs" must be a number',
      isError: true,
      code: 'INVALID_ARGS',
    });
    expect(await call('bash', '{"command":"touch x","descr')).toEqual({
      text: 'Error: invalid arguments: "arguments" must be an object',
      isError: true,
      code: 'INVALID_ARGS',
    });
  });

  test('background where a deployment has none', async () => {
    const { call } = await openWorkspace();
    const args = { command: 'true', description, run_in_background: true };
    expect(await call('bash', args, shell({ enableRunInBackground: false }))).toEqual({
      text: 'Error: run_in_background is disabled for this deployment (enableRunInBackground: false)',
      isError: true,
    });
  });

  test('a directory that cannot be used', async () => {
    const { call, cwd } = await openWorkspace();
    expect(await call('bash', { command: 'true', description, workdir: 'none' })).toEqual({
      text: `Error: cannot start "bash": working directory "${join(cwd, 'none')}" cannot be used (ENOENT)`,
      isError: true,
    });
  });

  test.each([
    ['timeoutMs', 0],
    ['graceMs', 2 ** 31],
    ['maxTimeoutMs', Infinity],
    ['maxOutputBytes', -1],
  ])('the setting %s = %d', (name, value) => {
    expect(() => ToolSettings.parse({ shell: { [name]: value } })).toThrow(name);
  });
});

describe('where and with what a command runs', () => {
  test('each session in its own directory, workdir from there', async () => {
    const { call, cwd } = await openWorkspace();
    const other = temporaryDirectory();
    mkdirSync(join(cwd, 'sub'));
    const pwd = { command: 'pwd', description };
    expect(await call('bash', pwd)).toEqual({ text: `${cwd}\n`, isError: false });
    expect(await call('bash', pwd, { cwd: other })).toEqual({ text: `${other}\n`, isError: false });
    expect(await call('bash', { ...pwd, workdir: 'sub' })).toEqual({ text: `${cwd}/sub\n`, isError: false });
    expect(await call('bash', { ...pwd, workdir: other })).toEqual({ text: `${other}\n`, isError: false });
  });

  test('a linked session directory is made real', async () => {
    const { call, cwd } = await openWorkspace();
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(cwd, link);
    expect(await call('bash', { command: 'pwd', description }, { cwd: link })).toEqual({
      text: `${cwd}\n`,
      isError: false,
    });
  });

  test('nothing carries over between calls', async () => {
    const { call, cwd } = await openWorkspace();
    await call('bash', { command: 'cd /; export LEFT=1; f() { :; }', description });
    expect(
      await call('bash', { command: 'pwd; echo "${LEFT-unset}"; type f 2>/dev/null || echo none', description }),
    ).toEqual({
      text: `${cwd}\nunset\nnone\n`,
      isError: false,
    });
  });

  test('plain output, managed variables of its session, and nothing the model sends as environment', async () => {
    const { call } = await openWorkspace({
      environment: { PATH: process.env['PATH'], EVERTURN_SESSION_ID: 'host', PAGER: 'less' },
    });
    const managedEnvironment = new ManagedEnvironment().collect({ home: '/state', session: 'child' as SessionId });
    const command =
      'echo $NO_COLOR $TERM $PAGER $GIT_PAGER $EVERTURN_HOME $EVERTURN_SHELL $EVERTURN_SESSION_ID "${FROM_MODEL-none}"; cat';
    const args = { command, description, env: { FROM_MODEL: '1' }, stdin: 'x' };
    expect(await call('bash', args, { managedEnvironment })).toEqual({
      text: '1 dumb cat cat /state 1 child none\n',
      isError: false,
    });
  });
});
