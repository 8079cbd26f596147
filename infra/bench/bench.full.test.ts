import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { workspaceRoot } from '../dev/stack/paths.ts';
import type { BenchResults } from './report/results.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'everturn-bench-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

// How fast the machine is says nothing here; that everything is measured, and comes out as JSON and as a file, does.
test('a quick run measures every figure and leaves nothing but its results', async () => {
  const argv = [join(workspaceRoot, 'infra/bench/main.ts'), '--quick', '--json'];
  const env = { ...process.env, EVERTURN_DATA_DIR: dataDir };
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = JSON.parse(await text(child.stdout)) as BenchResults;
  expect(printed.benchmarks.filter(({ error }) => error !== undefined)).toEqual([]);
  const unmeasured = printed.benchmarks.flatMap(({ figures }) =>
    figures.filter(({ value }) => !Number.isFinite(value)),
  );
  expect(unmeasured).toEqual([]);
  const [file = '', ...others] = readdirSync(join(dataDir, 'bench')).filter((name) => name.endsWith('.json'));
  expect(JSON.parse(readFileSync(join(dataDir, 'bench', file), 'utf8'))).toEqual(printed);
  expect([...others, ...readdirSync(join(dataDir, 'bench/scratch'))]).toEqual([]);
});
