import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openConfined } from '../../../test/confined.ts';
import { missing } from '../../../test/runners.ts';
import { temporaryDirectory } from '../../../test/workspace.ts';

vi.setConfig({ testTimeout: 60_000 }); // real processes on a machine that may be busy
const POLL = { timeout: 30_000, interval: 20 };

const runners = [
  { runner: 'bubblewrap', note: await missing('bubblewrap') },
  { runner: 'landlock', note: await missing('landlock') },
] as const;

/** Ways to write to `$OUT`, a folder beside the workspace that holds the file `kept`. */
const ATTEMPTS: [string, string][] = [
  ['a new file', 'echo x > $OUT/new'],
  ['an existing file', 'echo x > $OUT/kept'],
  ['its end', 'echo x >> $OUT/kept'],
  ['truncation', 'truncate -s 0 $OUT/kept'],
  ['removal', 'rm -f $OUT/kept'],
  ['a move out', 'echo x > f; mv f $OUT/new'],
  ['a move in', 'mv $OUT/kept .'],
  ['a folder', 'mkdir $OUT/new'],
  ['a symbolic link to the folder', 'ln -s $OUT link; echo x > link/new'],
  ['a symbolic link to the file', 'ln -s $OUT/kept link; echo x > link'],
  ['a link that points nowhere yet', 'ln -s $OUT/new link; echo x > link'],
  ['a hard link', 'ln $OUT/kept hard; echo x >> hard'],
  ['climbing', 'echo x > ../outside/new'],
  ['the root of every process', 'for p in /proc/[0-9]*; do echo x > $p/root$OUT/new; done'],
  ['the folder of every process', 'for p in /proc/[0-9]*; do echo x > $p/cwd/../outside/new; done'],
  ['mounting it writable', 'mount -o remount,rw /; mount --bind $OUT $OUT; echo x > $OUT/new'],
  ['a user namespace', `unshare -Urm sh -c 'mount -o remount,rw /; umount -l $OUT; echo x > $OUT/new'`],
  ['leaving the group', `setsid sh -c 'echo x > $OUT/new'`],
  ['another user', `su nobody -s /bin/sh -c 'echo x > $OUT/new'`],
];

/** Ways to change the machine beside its files, each without effect should it work; it then says so. */
const MACHINE: [string, string][] = [
  [
    'a switch of the kernel',
    'v=$(cat /proc/sys/kernel/core_pattern); echo "$v" > /proc/sys/kernel/core_pattern && echo DONE',
  ],
  ['a group of processes', 'mkdir /sys/fs/cgroup/everturn-test && echo DONE && rmdir /sys/fs/cgroup/everturn-test'],
  [
    'the clock',
    'python3 -c "import time; t = time.CLOCK_REALTIME; time.clock_settime(t, time.clock_gettime(t))" && echo DONE',
  ],
  ['the name', 'hostname "$(hostname)" && echo DONE'],
  ['a device file', 'mknod device c 1 3 && echo DONE'],
  [
    'another root',
    'mkdir root && PATH=$PATH:/usr/sbin chroot root 2>&1 | grep -v "Operation not permitted" && echo DONE',
  ],
  ['the folders of another process', 'nsenter -t 1 -m true && echo DONE'],
  ['the network of another process', 'nsenter -t 1 -n true && echo DONE'],
  ['priority', 'nice -n -5 true 2>&1 | grep -q . || echo DONE'],
];

describe.each(runners.map(({ runner, note }) => [runner, note] as const))('out of %s%s', (runner, note) => {
  test.skipIf(note).each(ATTEMPTS)('no way by %s', async (_name, command) => {
    const { run, outsideFiles } = await openConfined(runner);
    await run(command);
    expect(outsideFiles()).toEqual({ kept: 'original' });
  });

  test.skipIf(note).each(MACHINE)('no change of the machine by %s', async (_name, command) => {
    const { run } = await openConfined(runner);
    expect((await run(command)).stdout.text).toBe('');
  });

  test.skipIf(note)('not even root keeps what is not about files', async () => {
    const { run } = await openConfined(runner);
    const { stdout } = await run('grep -E "^Cap(Prm|Eff)" /proc/self/status');
    const kept = stdout.text.match(/[0-9a-f]{16}/g) ?? [];
    expect(kept).toHaveLength(2);
    // chown, dac_override, fowner, fsetid, kill, setgid, setuid
    for (const capabilities of kept) expect(BigInt(`0x${capabilities}`) & ~0xfbn).toBe(0n);
  });

  test.skipIf(note)('the workspace and the null device can be written, a refusal is told as one', async () => {
    const { run, workspace } = await openConfined(runner);
    expect(await run('echo x > f && echo y > /dev/null && cat f')).toMatchObject({
      exitCode: 0,
      stdout: { text: 'x\n' },
      sandbox: { mode: 'workspace-write', denied: false, enforcement: 'full' },
    });
    expect(readFileSync(join(workspace, 'f'), 'utf8')).toBe('x\n');
    expect((await run('echo x > $OUT/new')).sandbox).toMatchObject({ denied: true });
  });

  test.skipIf(note)('read-only: not even the workspace and /tmp', async () => {
    const { run, workspace } = await openConfined(runner);
    const outcome = await run('echo x > f; echo x > /tmp/everturn-f; cat $OUT/kept; exit 1', {
      policy: { mode: 'read-only' },
    });
    expect(outcome).toMatchObject({ stdout: { text: 'original' }, sandbox: { mode: 'read-only', denied: true } });
    expect(readdirSync(workspace)).toEqual([]);
  });

  test.skipIf(note)('what the shell reads before the command is confined, too', async () => {
    const { run, outside, outsideFiles } = await openConfined(runner);
    await run('echo "echo x > $OUT/new" > rc; true');
    await run('true', { environment: { OUT: outside, BASH_ENV: 'rc' } });
    expect(outsideFiles()).toEqual({ kept: 'original' });
  });

  test.skipIf(note)('a daemon that left its group does not outlive the session, and is confined', async () => {
    const { run, workspace, outsideFiles, endSession } = await openConfined(runner);
    const daemon = `while :; do echo x > $OUT/new; echo tick >> ${workspace}/ticks; sleep 0.02; done # ${workspace}`;
    await run(`(setsid sh -c '${daemon}' >/dev/null 2>&1 &); until [ -s ticks ]; do sleep 0.02; done`);
    await endSession();
    await expect.poll(() => runningWith(workspace), POLL).toEqual([]);
    expect(outsideFiles()).toEqual({ kept: 'original' });
  });

  test.skipIf(note)('a fork bomb stays below the limit and is gone with the call', async () => {
    const { run, workspace } = await openConfined(runner);
    let most = 0;
    const counting = setInterval(() => (most = Math.max(most, runningWith(workspace).length)), 20);
    const outcome = await run(`bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 600 # ${workspace}`, {
      policy: { limits: { processes: 40 } },
      timeoutMs: 1_500,
    });
    clearInterval(counting);
    expect(outcome).toMatchObject({ timedOut: true });
    expect(most).toBeLessThanOrEqual(runner === 'bubblewrap' ? 42 : 40); // bubblewrap's own two carry the command, too
    // Where the worker is not root, everything its user runs counts, and here that is more than the limit already.
    if (process.getuid?.() === 0) expect(most).toBeGreaterThan(10);
    await expect.poll(() => runningWith(workspace), POLL).toEqual([]);
  });

  test.skipIf(note)('a disk filler is stopped at the size of a file', async () => {
    const { run, workspace } = await openConfined(runner);
    const fileBytes = 1024 * 1024;
    const outcome = await run('head -c 50000000 /dev/zero > big', { policy: { limits: { fileBytes } } });
    expect(outcome.exitCode).not.toBe(0);
    expect(statSync(join(workspace, 'big')).size).toBe(fileBytes);
  });

  test.skipIf(note)('a loop ends with its CPU time, a hoarder without its memory', async () => {
    const { run } = await openConfined(runner);
    const loop = await run('while :; do :; done', { policy: { limits: { cpuSeconds: 1 } } });
    expect(loop).toMatchObject({ timedOut: false });
    expect(loop.exitCode).not.toBe(0);
    const hoard = `x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo \${#x}`;
    const hoarded = await run(hoard, { policy: { limits: { memoryBytes: 64 * 1024 * 1024 } } });
    expect(hoarded.stdout.text).not.toContain('200000000');
    expect((await run('echo free', { policy: { limits: { memoryBytes: 64 * 1024 * 1024 } } })).stdout.text).toBe(
      'free\n',
    );
  });
});

describe(`bubblewrap alone${runners[0].note}`, () => {
  const { note } = runners[0];

  test.skipIf(note)('the folder of a command opens nothing, wherever it leads', async () => {
    const { run, outside, outsideFiles } = await openConfined('bubblewrap');
    const open = temporaryDirectory(); // anybody may make links below /tmp
    symlinkSync(outside, join(open, 'link'));
    const { stdout } = await run('echo x > new; echo x > kept; pwd', { cwd: join(open, 'link') });
    expect([stdout.text, outsideFiles()]).toEqual([`${outside}\n`, { kept: 'original' }]);
    expect((await run('echo x > new; pwd; ls', { cwd: open })).stdout.text).toBe(`${open}\nnew\n`);
    expect(readdirSync(open)).toEqual(['link']);
  });

  test.skipIf(note)('attributes of files outside stay', async () => {
    const { run, outside } = await openConfined('bubblewrap');
    const before = statSync(join(outside, 'kept'));
    await run('chmod 777 $OUT/kept; touch -d 2000-01-01 $OUT/kept; chown nobody $OUT/kept');
    expect(statSync(join(outside, 'kept'))).toMatchObject({
      mode: before.mode,
      uid: before.uid,
      mtimeMs: before.mtimeMs,
    });
  });

  test.skipIf(note)('/tmp is new for each command and bounded, and other processes are out of sight', async () => {
    const { run } = await openConfined('bubblewrap');
    const elsewhere = temporaryDirectory();
    expect((await run(`echo x > /tmp/f && echo written to $TMPDIR`)).stdout.text).toBe('written to /tmp\n');
    expect((await run(`ls /tmp/f ${elsewhere} 2>/dev/null`)).stdout.text).toBe('');
    const fill = 'for i in 1 2 3 4 5; do head -c 900000 /dev/zero > /tmp/$i; done; cat /tmp/[1-5] | wc -c';
    const filled = await run(fill, { policy: { limits: { fileBytes: 1_048_576 } } });
    expect(Number(filled.stdout.text)).toBeLessThanOrEqual(1_048_576);
    expect((await run(`kill -0 ${process.pid}`)).exitCode).toBe(1);
  });

  test.skipIf(note)('no network: not even this machine, under full access as well', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    const { run, outsideFiles } = await openConfined('bubblewrap');
    const { port } = server.address() as { port: number };
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`;
    expect((await run(connect)).stdout.text).toBe('connected\n');
    expect((await run(connect, { policy: { network: 'none' } })).stdout.text).toBe('');
    const free = { mode: 'danger-full-access', network: 'none' } as const;
    expect((await run(`echo x > $OUT/new; ${connect}`, { policy: free })).stdout.text).toBe('');
    const borrowed = `nsenter -t ${process.pid} -n bash -c '${connect}'`;
    expect((await run(borrowed, { policy: free })).stdout.text).toBe('');
    expect(outsideFiles()).toEqual({ kept: 'original', new: 'x\n' });
  });

  test.skipIf(note)('a command has its grace when it is stopped', async () => {
    const { run } = await openConfined('bubblewrap');
    const polite = await run(`trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done`, { timeoutMs: 500 });
    expect(polite).toMatchObject({ timedOut: true, stdout: { text: 'up\nbye\n' } });
    const deaf = await run(`sleep 600`, { timeoutMs: 300 });
    expect(deaf).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGTERM' });
  });
});

test.skipIf(runners[1].note)(`landlock cannot take the network away, so it refuses${runners[1].note}`, async () => {
  const { run } = await openConfined('landlock');
  await expect(run('true', { policy: { network: 'none' } })).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
});

/** Processes whose command line holds a text. */
function runningWith(text: string): string[] {
  const lineOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && lineOf(name).includes(text));
}
