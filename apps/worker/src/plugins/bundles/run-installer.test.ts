import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLocalWorld, type LocalWorld } from '@everturn/tools/world';
import { runInstaller } from './run-installer.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-installer-')));
let world: LocalWorld;
beforeAll(async () => {
  const environment = { PATH: process.env['PATH'], HOME: '/nowhere', NPM_TOKEN: 'hush' };
  world = await openLocalWorld({ environment, spillRoot: join(home, 'spill') });
});
afterAll(async () => {
  await world.dispose();
  rmSync(home, { recursive: true });
});

const run = (script: string, { signal = new AbortController().signal, timeoutMs = 60_000, program = 'sh' } = {}) =>
  runInstaller({
    processes: world.ports.processes,
    argv: [program, '-c', script],
    what: 'npm ci',
    folder: home,
    environment: { MORE: 'said' },
    signal,
    timeoutMs,
  });

test('it gets its folder as home, what it is given, and no secret', async () => {
  expect(await run('echo $HOME $MORE [$NPM_TOKEN]')).toBe(`${home} said []\n`);
});

test('of much output the end is told, of a failure its errors before anything else', async () => {
  const long = 'head -c 100000 /dev/zero | tr "\\0" x; echo end';
  expect(await run(long)).toBe(`${'x'.repeat(16_380)}end\n`);
  await expect(run(`(${long}) >&2; echo beside; exit 3`)).rejects.toThrow(new RegExp(`^npm ci failed: x{16380}end$`));
  await expect(run('echo only this; exit 1')).rejects.toThrow('npm ci failed: only this');
});

test('one that takes too long, is cancelled, or is not there', async () => {
  await expect(run('sleep 600', { timeoutMs: 50 })).rejects.toThrow('npm ci was not done after 50 ms');
  await expect(run('sleep 600', { signal: AbortSignal.timeout(50) })).rejects.toThrow('sh was stopped');
  await expect(run('true', { signal: AbortSignal.abort() })).rejects.toThrow('sh was stopped');
  await expect(run('', { program: 'no-such-program' })).rejects.toThrow(
    /^bundles need no-such-program on this machine; install it \(.*not on PATH/,
  );
});
