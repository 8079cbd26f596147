import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryHome } from '../../../test/confined.ts';
import { missing, runnerSearch } from '../../../test/runners.ts';
import { temporaryDirectory } from '../../../test/workspace.ts';
import type { SandboxPolicy } from '../../kit/index.ts';
import { bubblewrapArguments, bubblewrapEnvironment, visibleFolders } from './bubblewrap.ts';
import { LocalSandbox } from './local-sandbox.ts';

const policy = (given: Partial<SandboxPolicy>): SandboxPolicy => ({
  mode: 'read-only',
  network: 'full',
  root: '/work',
  limits: {},
  ...given,
});

/** A folder with a `bwrap` that does as told. */
function fakeRunner(script: string): string {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bwrap'), 0o755);
  return folder;
}

describe('without a runner', () => {
  test('confined commands are refused with what the operator can do; full access asks nobody', async () => {
    const sandbox = new LocalSandbox({ searchPath: temporaryDirectory(), probeTimeoutMs: 1_000 });
    await expect(sandbox.wrap(policy({}), ['true'], '/')).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringMatching(/read-only .*bubblewrap: .*not on PATH; landlock: .*apt-get install bubblewrap/),
    });
    const free = await sandbox.wrap(policy({ mode: 'danger-full-access' }), ['true'], '/');
    expect(free).toMatchObject({ argv: ['true'], environment: {} });
    expect(await sandbox.report()).toEqual({
      network: 'shared',
      unusable: [
        { runner: 'bubblewrap', reason: expect.any(String) },
        { runner: 'landlock', reason: expect.any(String) },
      ],
    });
  });

  test('one that does not answer in time is none, and is asked once', async () => {
    const folder = fakeRunner('echo x >> "$0.asked"; exec /bin/sleep 600');
    const sandbox = new LocalSandbox({ searchPath: folder, probeTimeoutMs: 100 });
    for (const mode of ['read-only', 'workspace-write'] as const)
      await expect(sandbox.wrap(policy({ mode }), ['true'], '/')).rejects.toThrow('it took more than 100ms');
    expect(readFileSync(join(folder, 'bwrap.asked'), 'utf8')).toBe('x\n');
  });

  test('one that fails is none, by its last words', async () => {
    const sandbox = new LocalSandbox({
      searchPath: fakeRunner('echo bwrap: no namespaces >&2; exit 1'),
      probeTimeoutMs: 20_000,
    });
    await expect(sandbox.wrap(policy({}), ['true'], '/')).rejects.toThrow('bubblewrap: bwrap: no namespaces');
  });
});

describe('a runner of the operator', () => {
  const failureSignatures = ['cell: '];

  test('gets what bubblewrap would, stands alone, and is told from the command by its own words', async () => {
    const folder = temporaryDirectory();
    const cell = join(folder, 'cell');
    const words = 'echo "$*" > "$0.asked"; until [ "$1" = -- ]; do shift; done; shift; exec "$@"';
    writeFileSync(cell, `#!/bin/sh\n${words}\n`, { mode: 0o755 });
    const { PATH = '' } = process.env;
    const runnerCommand = { argv: [cell, '--quiet'], failureSignatures };
    const sandbox = new LocalSandbox({ searchPath: PATH, probeTimeoutMs: 20_000, runnerCommand });
    const { argv, judge } = await sandbox.wrap(policy({ mode: 'workspace-write' }), ['make'], '/work');
    expect(argv.slice(0, 5)).toEqual([cell, '--quiet', '--ro-bind', '/', '/']);
    expect(argv.slice(-4)).toEqual(['--chdir', '/work', '--', 'make']);
    expect(readFileSync(`${cell}.asked`, 'utf8')).toMatch(/^--quiet --ro-bind \/ \/ .*--unshare-net .*-- true\n$/);
    expect(judge({ exitCode: 1, stderr: 'cell: no room' })).toBe('runner-failed');
    expect(await sandbox.report()).toEqual({
      runner: 'configured',
      enforcement: 'full',
      network: 'isolated',
      unusable: [],
    });
  });

  test('that does not work is followed by no other', async () => {
    const runnerCommand = { argv: [join(temporaryDirectory(), 'none')], failureSignatures };
    const sandbox = new LocalSandbox({ ...runnerSearch, runnerCommand });
    await expect(sandbox.wrap(policy({}), ['true'], '/')).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('configured: '),
    });
  });
});

describe('the command line of bubblewrap', () => {
  const given = {
    program: '/b',
    cwd: '/work/sub',
    root: false,
    doors: ['/run/door'],
    hidden: ['/run/own'],
    visible: [] as string[],
  };
  const shown = (of: Partial<SandboxPolicy>, more: Partial<typeof given> = {}) =>
    bubblewrapArguments({ ...given, ...more, policy: policy(of) }).join(' ');
  const base =
    '/b --ro-bind / / --dev /dev --unshare-pid --proc /proc --die-with-parent --tmpfs /run/own --remount-ro /run/own';
  const end = '--ro-bind /dev/null /run/door --cap-drop ALL --chdir /work/sub --';

  test.each<[string, string, string]>([
    ['read-only', shown({}), `${base} ${end}`],
    ['workspace-write', shown({ mode: 'workspace-write' }), `${base} --tmpfs /tmp --bind /work /work ${end}`],
    [
      'a size for what is written to memory',
      shown({ mode: 'workspace-write', limits: { fileBytes: 9 } }),
      `${base} --size 9 --tmpfs /tmp --size 9 --tmpfs /dev/shm --bind /work /work ${end}`,
    ],
    [
      'a folder of its own below /tmp',
      shown({ mode: 'workspace-write' }, { cwd: '/tmp/x' }),
      `${base} --tmpfs /tmp --bind /work /work --dir /tmp/x ${end.replace('/work/sub', '/tmp/x')}`,
    ],
    [
      'a folder of its own among what is hidden',
      shown({ mode: 'workspace-write' }, { cwd: '/run/own/x' }),
      `${base.replace(' --remount-ro', ' --dir /run/own/x --remount-ro')} --tmpfs /tmp --bind /work /work ${end.replace('/work/sub', '/run/own/x')}`,
    ],
    [
      'a workspace in a folder that is empty for commands',
      shown({ mode: 'workspace-write', root: '/run/own/w' }, { cwd: '/run/own/w' }),
      `${base.replace(' --remount-ro', ' --bind /run/own/w /run/own/w --remount-ro')} --tmpfs /tmp --bind /run/own/w /run/own/w ${end.replace('/work/sub', '/run/own/w')}`,
    ],
    [
      'a workspace among devices, and a folder for what is written all the same',
      shown({ root: '/dev/shm/w', scratch: '/tmp/s' }, { cwd: '/dev/shm/w' }),
      `${base} --ro-bind /dev/shm/w /dev/shm/w --bind /tmp/s /tmp/s ${end.replace('/work/sub', '/dev/shm/w')}`,
    ],
    [
      'no network',
      shown({ network: 'none' }),
      `${base} --ro-bind /dev/null /run/door --unshare-net --cap-drop ALL --chdir /work/sub --`,
    ],
    [
      'full access without network',
      shown({ mode: 'danger-full-access', network: 'none' }),
      '/b --dev-bind / / --die-with-parent --unshare-net --chdir /work/sub --',
    ],
  ])('%s', (_name, line, expected) => {
    expect(line).toBe(expected);
  });

  test('where a user’s own services are is not told', () => {
    expect(bubblewrapEnvironment(policy({}))).toStrictEqual({ XDG_RUNTIME_DIR: undefined });
    expect(bubblewrapEnvironment(policy({ mode: 'workspace-write' }))).toHaveProperty('TMPDIR', '/tmp');
    expect(bubblewrapEnvironment(policy({ mode: 'danger-full-access' }))).toStrictEqual({});
  });

  test('programs below folders that are emptied stay in sight', () => {
    const visible = visibleFolders('/usr/bin:/tmp/a/node_modules/.bin:/tmp/b:/tmpfoo:/run/user/1/bin:');
    expect(visible).toEqual(['/tmp/a/node_modules', '/tmp/b', '/run/user/1/bin']);
    expect(shown({}, { visible, hidden: ['/run/user'] })).toContain(
      '--tmpfs /run/user --ro-bind-try /run/user/1/bin /run/user/1/bin --remount-ro /run/user --ro-bind',
    );
    expect(shown({ mode: 'workspace-write' }, { visible })).toContain(
      '--tmpfs /tmp --ro-bind-try /tmp/a/node_modules /tmp/a/node_modules --ro-bind-try /tmp/b /tmp/b --bind /work /work',
    );
    expect(shown({}, { visible })).not.toContain('/tmp');
  });

  test('root keeps what it needs for files of others, and nothing that mounts', () => {
    expect(shown({}, { root: true })).toContain('--cap-drop ALL --cap-add CAP_CHOWN --cap-add CAP_DAC_OVERRIDE');
    expect(shown({}, { root: true })).not.toMatch(/SYS_|MKNOD|NET_/);
    expect(shown({}, { root: true })).toContain('--proc /proc --ro-bind-try /proc/sys /proc/sys ');
    expect(shown({ mode: 'danger-full-access', network: 'none' }, { root: true })).toContain(
      '--unshare-net --cap-drop CAP_SYS_ADMIN --cap-drop CAP_SYS_PTRACE --chdir',
    );
  });
});

const note = await missing('bubblewrap');
test.skipIf(note)(`a socket that runs commands for whoever writes to it is out of reach${note}`, async () => {
  const home = temporaryHome();
  mkdirSync(join(home, 'own'));
  const [door, bus] = [join(home, 'door.sock'), join(home, 'own/bus')];
  for (const path of [door, bus]) {
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
  }
  const program = runnerSearch.bubblewrap ?? 'bwrap';
  const inside = (doors: string[], hidden: string[]) =>
    execFileSync(
      program,
      [
        ...bubblewrapArguments({
          program,
          cwd: home,
          root: process.getuid?.() === 0,
          doors,
          hidden,
          visible: [],
          policy: policy({}),
        }).slice(1),
        'sh',
        '-c',
        `for path in ${door} ${bus}; do [ -S $path ] && echo reachable || echo gone; done; touch ${join(home, 'own/made')} 2>/dev/null || echo unwritable`,
      ],
      { stdio: 'pipe' },
    ).toString();
  expect(inside([], [])).toBe('reachable\nreachable\nunwritable\n');
  expect(inside([door], [join(home, 'own')])).toBe('gone\ngone\nunwritable\n');
});
