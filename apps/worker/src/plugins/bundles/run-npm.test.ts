import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalWorld } from '@everturn/tools/world';
import { expect, onTestFinished, test } from 'vitest';
import { runNpm } from './run-npm.ts';

async function npm(PATH: string, args: string[], signal = new AbortController().signal) {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-npm-'));
  const world = await openLocalWorld({ environment: { PATH }, spillRoot: join(folder, 'spill') });
  onTestFinished(async () => {
    await world.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  return runNpm({
    processes: world.ports.processes,
    cache: join(folder, 'cache'),
    folder,
    args,
    signal,
    timeoutMs: 30_000,
  });
}

test('where npm is not installed that is said', async () => {
  await expect(npm('/nowhere', ['--version'])).rejects.toThrow('bundles need npm on this machine; install it');
});

test('what npm says of its failure is told; a cancel before it starts is a stop', async () => {
  const { PATH = '' } = process.env;
  await expect(npm(PATH, ['no-such-command'])).rejects.toThrow(/^npm no-such-command failed: .*no-such-command/s);
  await expect(npm(PATH, ['--version'], AbortSignal.abort())).rejects.toThrow('npm was stopped');
});
