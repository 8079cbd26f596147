import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, spawnProcess } from '@everturn/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../process/running-program.ts';
import type { StackState } from './stack/state-file.ts';
import { testEnvironment } from './test/steps.ts';

let folder: string;
let env: Record<string, string | undefined>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'everturn-demo-'));
  chmodSync(folder, 0o755);
  // What points at the run's servers or at somebody's model must not reach this stack.
  const kept = testEnvironment(process.env);
  env = {
    ...Object.fromEntries(Object.keys(process.env).map((name) => [name, kept[name]])),
    EVERTURN_DATA_DIR: folder,
  };
});
afterAll(async () => {
  await runScript('infra/dev/reset.ts', env, ['--yes']);
  rmSync(folder, { recursive: true, force: true });
});

test('up --once does the demo job, ends with its status, and leaves nobody behind', async () => {
  const up = await spawnProcess('infra/dev/up.ts', env, { args: ['--once'], readyTimeoutMs: 180_000 });
  const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as StackState;
  expect(Object.keys(state.services).toSorted()).toEqual(['api', 'model', 'postgres', 'temporal', 'worker']);
  expect(await up.exited, up.logs()).toEqual({ code: 0, signal: null });
  expect(Object.values(state.services).filter(({ pid }) => isAlive(pid))).toEqual([]);

  const [workspace = ''] = readdirSync(join(folder, 'workspaces'));
  expect(existsSync(join(folder, 'workspaces', workspace, 'REPORT.md'))).toBe(true);
  const secret = new URL(state.environment['DATABASE_URL'] ?? '').password;
  const key = readFileSync(join(folder, 'api-key'), 'utf8').trim();
  for (const name of readdirSync(join(folder, 'logs'))) {
    const log = readFileSync(join(folder, 'logs', name), 'utf8');
    expect({ name, secret: log.includes(secret), key: log.includes(key) }).toEqual({ name, secret: false, key: false });
  }
});
