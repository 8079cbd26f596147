import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leftovers } from './leftovers.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'everturn-leftovers-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('a run that left nothing', async () => {
  expect(await leftovers(folder(), 0)).toEqual([]);
});

test('files are named', async () => {
  const path = folder();
  writeFileSync(join(path, 'a'), '');
  writeFileSync(join(path, 'node-compile-cache'), '');
  expect(await leftovers(path, 0)).toEqual(['the file a in the folder for temporary files']);
});

test.runIf(process.platform === 'linux').each([
  ['its variables', (path: string) => ({ env: { TMPDIR: path } })],
  ['its directory', (path: string) => ({ cwd: path, env: {} })],
])('a process is found by %s, and waited for while it ends', async (_by, options) => {
  const path = folder();
  const child = spawn('/bin/sh', ['-c', 'echo ready; read line'], {
    ...options(path),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  expect(await leftovers(path, 0)).toEqual([`the process ${child.pid}: /bin/sh -c echo ready; read line`]);
  const later = leftovers(path, 20_000);
  child.stdin.end('\n');
  expect(await later).toEqual([]);
});
