import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@everturn/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StartProcessInput } from '../../kit/index.ts';
import { readProcess } from './process-table.ts';
import { openLocalWorld, type LocalWorld } from '../local-world.ts';

let folder: string;
let world: LocalWorld;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'everturn-background-'));
  world = await openLocalWorld({ environment: { PATH: process.env['PATH'] }, spillRoot: join(folder, 'spill') });
});
afterAll(async () => {
  await world.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const start = (command: string, more: Partial<StartProcessInput> = {}) =>
  world.ports.processes.start({
    argv: ['bash', '-c', command],
    cwd: folder,
    graceMs: 300,
    maxSpillBytes: 1_000_000,
    maxUnreadBytes: 1_000,
    spillAfterBytes: 1_000,
    ...more,
  });

describe('a process in the background', () => {
  test('is read piece by piece, each once', async () => {
    const started = await start('echo one; until [ -e go ]; do sleep 0.02; done; echo two; echo err >&2; exit 3');
    let text = '';
    await waitFor(() => (text += started.read().stdout).includes('one\n'), { what: 'the first line' });
    writeFileSync(join(folder, 'go'), '');
    expect(await started.ended).toEqual({ exitCode: 3, signal: null, stderrTail: 'err\n' });
    const rest = started.read();
    expect([text + rest.stdout, rest.stderr]).toEqual(['one\ntwo\n', 'err\n']);
    expect(started.read()).toEqual({ stdout: '', stderr: '' });
  });

  test('that ignores TERM is gone after its grace, with what it started', async () => {
    const started = await start(`trap '' TERM; (trap '' TERM; sleep 600) & echo $!; wait`);
    let pid = '';
    await waitFor(() => (pid += started.read().stdout).includes('\n'), { what: 'its number' });
    await started.terminate();
    expect(await started.ended).toEqual({ exitCode: null, signal: 'SIGKILL', stderrTail: '' });
    const left = await readProcess(Number(pid));
    expect(left === undefined || left.zombie).toBe(true);
  });

  test('that writes more than is kept says so, and a file holds all of it', async () => {
    const started = await start('seq 1 2000; printf "🙂"');
    await started.ended;
    const { stdout, dropped } = started.read();
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(1_000);
    expect(stdout.endsWith('2000\n🙂')).toBe(true);
    const [file = ''] = dropped?.files ?? [];
    expect(readFileSync(file, 'utf8')).toMatch(/^1\n2\n[^]*2000\n🙂$/);
  });

  test('that left something talking keeps the file of all it said itself', async () => {
    const wait = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;
    const started = await start(`seq 1 2000; (${wait('on')}; seq 2001 4000; ${wait('end')}; echo end) & exit 0`);
    await started.ended;
    const [file = ''] = started.read().dropped?.files ?? [];
    for (const [name, last] of [
      ['on', '4000\n'],
      ['end', 'end\n'],
    ] as const) {
      writeFileSync(join(folder, name), '');
      await waitFor(() => started.read().stdout.includes(last), { what: `${last.trim()} to be read` });
    }
    expect(readFileSync(file, 'utf8')).toMatch(/^1\n2\n[^]*\n2000\n$/);
  });

  test('whose output no file may hold says that there is none', async () => {
    const started = await start('seq 1 2000', { maxSpillBytes: 2_000 });
    await started.ended;
    expect(started.read().dropped).toEqual({ files: [] });
  });

  test('of a gigabyte keeps one page of it', async () => {
    const started = await start('head -c 1000000000 /dev/zero', { maxUnreadBytes: 64_000, maxSpillBytes: 100_000 });
    await started.ended;
    expect(started.read().stdout.length).toBe(64_000);
  });

  test('that cannot start throws what is wrong', async () => {
    await expect(start('true', { cwd: join(folder, 'nowhere') })).rejects.toThrow(
      /working directory .* cannot be used/,
    );
  });
});
