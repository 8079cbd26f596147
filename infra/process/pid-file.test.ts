import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { holderOf, takePidFile } from './pid-file.ts';
import { commandLineOf, isAlive } from './running-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-pid-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a live process of the described program holds its file, any other does not', () => {
  const file = join(folder, 'held.pid');
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  writeFileSync(file, `${pid}\n`);
  expect(takePidFile(file, process.pid, ['sleep', '60'])).toEqual({ holder: pid });
  expect(holderOf(file, ['another program'])).toBeUndefined();
  expect(takePidFile(file, process.pid, ['another program'])).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`);
  child.kill();
});

test('a file of a dead process, an empty one and a missing one are taken', () => {
  for (const [name, content] of [
    ['dead', '999999999'],
    ['empty', ''],
  ] as const) {
    writeFileSync(join(folder, name), content);
    expect(takePidFile(join(folder, name), process.pid, ['node'])).toBeUndefined();
  }
  expect(takePidFile(join(folder, 'missing'), process.pid, ['node'])).toBeUndefined();
});

test('a killed child that nobody has reaped counts as dead', async () => {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  expect(commandLineOf(pid)).toContain('sleep');
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(isAlive(pid)).toBe(false);
  expect(isAlive(0)).toBe(false);
  expect(isAlive(Number.NaN)).toBe(false);
});
