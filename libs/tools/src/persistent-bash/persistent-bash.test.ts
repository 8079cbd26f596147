import { describe, expect, test } from 'vitest';
import { isRunning, openWorkspace, pidsOf, temporaryDirectory, type Workspace } from '../../test/workspace.ts';
import { ToolSettings } from '../kit/index.ts';

const RESET =
  'The shell was reset: the next call starts a new one in the workspace, without directory, variables or functions of before.';

const run = async (workspace: Workspace, command: string, settings?: ToolSettings): Promise<string> =>
  (await workspace.call('persistent-shell:bash', { command }, settings && { settings })).text;

describe('a kept shell', () => {
  test('keeps directory, variables and functions, and tells failures', async () => {
    const workspace = await openWorkspace();
    expect(await run(workspace, 'cd /usr; X=1; f() { echo "f $X"; }')).toBe('(no output)');
    expect(await run(workspace, 'pwd; f')).toBe('/usr\nf 1');
    expect(await run(workspace, 'printf half')).toBe('half');
    expect(await run(workspace, 'echo out; echo err >&2; (exit 3)')).toBe('out\nerr\n[exit code: 3]');
    expect(await run(workspace, 'false')).toBe('[exit code: 1]');
    expect(await run(workspace, 'if')).toMatch(/syntax error[^\n]*\n\[exit code: 2\]$/);
    expect(await run(workspace, 'set -u; echo $nope; echo never')).toMatch(/nope: unbound variable\n\[exit code: 1\]$/);
    expect(await run(workspace, 'set +u; echo "北京 !x \t tab"')).toBe('北京 !x \t tab');
    expect(await run(workspace, 'stty sane; echo loud')).toBe('loud');
    expect(await run(workspace, 'echo still $X')).toBe('still 1');
  });

  test('survives a here document without an end, set -e, exit and a child in the background', async () => {
    const workspace = await openWorkspace();
    expect(await run(workspace, "cat <<'E'\nhi\nE")).toBe('hi');
    expect(await run(workspace, 'set -e; false')).toBe(`[shell exited: code 1]\n${RESET}`);
    expect(await run(workspace, 'sleep 600 & echo $! > child; exit 3')).toMatch(
      /\[shell exited: code 3\]\nThe shell was reset/,
    );
    const child = Number(await run(workspace, 'cat child'));
    expect(await isRunning(child)).toBe(false);
    expect(await run(workspace, 'echo alive')).toBe('alive');
    expect(await run(workspace, 'exit 7')).toBe(`[shell exited: code 7]\n${RESET}`);
    expect(await run(workspace, 'kill -9 $$')).toBe(`[shell killed by signal: SIGKILL]\n${RESET}`);
    expect(await run(workspace, 'pwd')).toBe(workspace.cwd);
  });

  test('that prints elsewhere says so at once', async () => {
    const workspace = await openWorkspace();
    expect(await run(workspace, 'echo before; exec > log')).toBe('before');
    for (const command of ['echo hidden', 'exec > /dev/tty'])
      expect(await run(workspace, command)).toMatch(/^\[not heard: [^\n]*`exec > \/dev\/tty` brings it back\]$/);
    expect(await run(workspace, 'grep -c ^hidden$ log')).toBe('1');
  });

  test('that takes only a part of a command in time did not run it', async () => {
    const workspace = await openWorkspace();
    const brief = ToolSettings.parse({ persistentShell: { timeoutMs: 300 } });
    expect(await run(workspace, `touch ran; : ${'x '.repeat(5_000_000)}`, brief)).toMatch(
      /^Error: the shell took only a part of the command within 0\.3 seconds, so it was not run/,
    );
    expect(await run(workspace, 'ls')).toMatch(/^\[the shell of the calls before is gone[^\n]*\]\n\(no output\)$/);
  });

  test('returns from a command that waits for input, and interrupts it next time', async () => {
    const workspace = await openWorkspace();
    expect(await run(workspace, 'X=kept; echo before; cat')).toBe(
      'before\n[it waits for input and was left so; the next call interrupts it]',
    );
    expect(await run(workspace, 'echo $X')).toBe('kept');
    expect(await run(workspace, 'read v; echo got')).toContain('[it waits for input');
    expect(await run(workspace, 'echo $X again')).toBe('kept again');
    expect(await run(workspace, 'exec python3 -q')).toContain('[it waits for input');
    expect(await run(workspace, 'echo $X.')).toMatch(/^\[the shell of the calls before is gone[^\n]*\]\n\.$/);
  });

  test('shows the beginning of long output and takes long commands', async () => {
    const workspace = await openWorkspace();
    const long = await run(workspace, 'seq 1 20000; (exit 4)');
    expect(long).toMatch(/^1\n2\n3\n/);
    expect(long).toMatch(/<response clipped><NOTE>[^<]*grep -n[^<]*<\/NOTE>\n\[exit code: 4\]$/);
    expect(long.indexOf('<response')).toBe(16_000);
    const text = 'wört\n'.repeat(20_000);
    expect(await run(workspace, `wc -c <<'E'\n${text}E`)).toBe(String(Buffer.byteLength(text)));
  });

  test('is reset when a command takes too long, and when it is cancelled', async () => {
    const workspace = await openWorkspace();
    const brief = ToolSettings.parse({ persistentShell: { timeoutMs: 400 } });
    expect(await run(workspace, 'X=1; echo begun; sleep 600', brief)).toBe(
      `[timed out after 0.4 seconds, or out of memory]\nbegun\n${RESET}`,
    );
    const cancel = new AbortController();
    const call = workspace.call(
      'persistent-shell:bash',
      { command: 'echo a > begun; sleep 600' },
      { signal: cancel.signal },
    );
    await expect
      .poll(() => workspace.call('read', { file_path: `${workspace.cwd}/begun` }).then(({ isError }) => isError))
      .toBe(false);
    cancel.abort();
    expect(await call).toMatchObject({ isError: true, code: 'ABORTED' });
    expect(await run(workspace, 'echo "[$X]"')).toMatch(/^\[the shell of the calls before is gone[^\n]*\]\n\[\]$/);
  });

  test('lost with its worker is told once', async () => {
    const dataDir = temporaryDirectory();
    const before = await openWorkspace({ dataDir });
    expect(await run(before, 'X=1')).toBe('(no output)');
    await before.world.dispose();
    const after = await openWorkspace({ dataDir });
    expect(await run(after, 'echo "[$X]"')).toMatch(/^\[the shell of the calls before is gone[^\n]*\]\n\[\]$/);
    expect(await run(after, 'echo "[$X]"')).toBe('[]');
  });

  test('one after the other', async () => {
    const workspace = await openWorkspace();
    const both = await Promise.all([run(workspace, 'sleep 0.2; echo one'), run(workspace, 'echo two')]);
    expect(both).toEqual(['one', 'two']);
  });
});

test('what cannot be run is refused by name', async () => {
  const workspace = await openWorkspace();
  expect(await run(workspace, ' ')).toBe('Error: command must be a non-empty string');
  expect(await run(workspace, 'a\0b')).toBe('Error: command must not contain NUL characters');
  expect(await workspace.call('persistent-shell:bash', {})).toMatchObject({ code: 'INVALID_ARGS' });
});

test('nothing of all this is left', async () => {
  expect(await pidsOf('EVERTURN_PTY_SESSION_ID', 'shell-bash')).toEqual([]);
});
