import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRunning, temporaryDirectory } from '../../../test/workspace.ts';
import { ownersFolder } from './group-registry.ts';
import { reapOrphans } from './reap-orphans.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy
const POLL = { timeout: 30_000 };

const WORKER = fileURLToPath(new URL('../../../test/worker-with-command.ts', import.meta.url));

/** A worker that runs one command, whose processes write their names and pids into `pids`. */
async function startWorker(dataDir: string, command: string, names: readonly string[]) {
  const cwd = temporaryDirectory();
  const worker: ChildProcess = spawn(process.execPath, [WORKER, dataDir, cwd, command], { stdio: 'inherit' });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  onTestFinished(() => void worker.kill('SIGKILL'));
  const file = join(cwd, 'pids');
  const started = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  await expect.poll(() => started().length, POLL).toBe(names.length);
  const pidOf = new Map(started().map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
  const pids = names.map((name) => pidOf.get(name) ?? 0);
  onTestFinished(() => {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // gone, as it should be
      }
    }
  });
  return { worker, exited, pids };
}
const running = (pids: number[]) => Promise.all(pids.map(isRunning));

/** In the group; out of the group but marked; in the group with an empty environment. */
const IN_GROUP = '(trap "" TERM HUP; echo in $BASHPID >> pids; exec sleep 300) &';
const LEFT_GROUP = "setsid bash -c 'echo left $$ >> pids; exec sleep 300' &";
const UNMARKED = "env -i /bin/bash -c 'echo unmarked $$ >> pids; exec /bin/sleep 300' &";
const ALL = ['in', 'left', 'unmarked'];

describe.skipIf(process.platform !== 'linux')('after kill -9 of a worker', () => {
  test('its groups die with it, and the rest is reaped at the next start', async () => {
    const dataDir = temporaryDirectory();
    const command = `${IN_GROUP} ${LEFT_GROUP} ${UNMARKED} wait`;
    const { worker, exited, pids } = await startWorker(dataDir, command, ALL);
    expect(await running(pids)).toEqual([true, true, true]);
    worker.kill('SIGKILL');
    await exited;
    const [inGroup, leftGroup, unmarked] = pids as [number, number, number];
    await expect.poll(() => running([inGroup, unmarked]), POLL).toEqual([false, false]);
    expect(await isRunning(leftGroup)).toBe(true);
    expect((await reapOrphans(dataDir)).killed).toContain(leftGroup);
    await expect.poll(() => isRunning(leftGroup), POLL).toBe(false);
    expect(readdirSync(ownersFolder(dataDir))).toEqual([]);
  });

  test('with the guard killed as well everything is reaped at the next start', async () => {
    const dataDir = temporaryDirectory();
    // The shell has gone, too, so only the record names the group.
    const command = `${IN_GROUP} ${LEFT_GROUP} ${UNMARKED}`;
    const { worker, exited, pids } = await startWorker(dataDir, command, ALL);
    const guards = readFileSync(`/proc/${worker.pid}/task/${worker.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    for (const guard of guards)
      if (readFileSync(`/proc/${guard}/cmdline`, 'utf8').includes('groups=')) process.kill(guard, 'SIGKILL');
    worker.kill('SIGKILL');
    await exited;
    expect(await running(pids)).toEqual([true, true, true]);
    const { killed } = await reapOrphans(dataDir);
    expect(killed).toEqual(expect.arrayContaining(pids));
    await expect.poll(() => running(pids), POLL).toEqual([false, false, false]);
  });

  test('a worker that lives keeps what it runs', async () => {
    const dataDir = temporaryDirectory();
    const { pids } = await startWorker(dataDir, `${IN_GROUP} wait`, ['in']);
    expect(await reapOrphans(dataDir)).toEqual({ killed: [] });
    expect(await running(pids)).toEqual([true]);
  });

  test('records of another boot, torn ones, and no records at all', async () => {
    const dataDir = temporaryDirectory();
    expect(await reapOrphans(dataDir)).toEqual({ killed: [] });
    mkdirSync(ownersFolder(dataDir));
    const record = { owner: 'o', pid: 999_999_999, startTime: '1', bootId: 'another' };
    writeFileSync(join(ownersFolder(dataDir), 'o'), `${JSON.stringify(record)}\n${process.pid}\n`);
    writeFileSync(join(ownersFolder(dataDir), 'torn'), '{"own');
    expect(await reapOrphans(dataDir)).toEqual({ killed: [] });
    expect(readdirSync(ownersFolder(dataDir))).toEqual([]);
  });
});
