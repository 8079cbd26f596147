import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, type SpawnedProcess, spawnProcess, waitFor } from '@everturn/core/testing';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canTie } from '../process/spawn-tied.ts';
import { isAlive } from '../process/running-program.ts';
import type { StackState } from './stack/state-file.ts';

let folder: string;
let env: Record<string, string | undefined>;
let running: SpawnedProcess[];

beforeEach(() => {
  // 0700, as root's home is: everything must work there too.
  folder = mkdtempSync(join(tmpdir(), 'everturn-up-'));
  env = {
    EVERTURN_DATA_DIR: folder,
    DATABASE_URL: undefined,
    TEMPORAL_ADDRESS: undefined,
    TEMPORAL_NAMESPACE: undefined,
  };
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((process) => process.stop()));
  await runScript('infra/dev/reset.ts', env, ['--yes']);
  rmSync(folder, { recursive: true, force: true });
});

async function up(...args: string[]): Promise<SpawnedProcess> {
  const process = await spawnProcess('infra/dev/up.ts', env, { args: ['--servers-only', ...args] });
  running.push(process);
  return process;
}

function state(): StackState {
  return JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as StackState;
}

const pids = () => Object.values(state().services).map(({ pid }) => pid);

async function query(text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: state().environment['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('up', () => {
  test('starts prepared servers, keeps their data, and stops everything it started', async () => {
    const first = await up();
    expect(Object.keys(state().services).toSorted()).toEqual(['postgres', 'temporal']);
    expect(await runScript('infra/dev/status.ts', env)).toContain(String(pids()[0]));
    expect(statSync(join(folder, 'temporal.db')).mode & 0o077).toBe(0);
    await query('create table marks (n int); insert into marks values (3)');
    const children = pids();
    expect(await first.stop()).toEqual({ code: 0, signal: null });
    expect(children.map(isAlive)).toEqual([false, false]);

    await up();
    expect(await query('select n from marks')).toEqual([{ n: 3 }]);
    expect(first.logs()).toMatch(/^Ready in \d+\.\d s\.$/m);
    expect(first.logs()).not.toContain(new URL(state().environment['DATABASE_URL'] ?? '').password);
  });

  test('a second one uses the running stack; down ends it, and says when there is nothing to end', async () => {
    const first = await up();
    const before = pids();
    const printed = await runScript('infra/dev/up.ts', env, ['--servers-only']);
    expect(printed).toContain(`is already up (pid ${first.pid})`);
    expect(printed).toContain(state().environment['EVERTURN_UI_URL']);
    expect(pids()).toEqual(before);

    expect(await runScript('infra/dev/down.ts', env)).toContain('everturn is down');
    expect(await first.exited).toEqual({ code: 0, signal: null });
    expect(await runScript('infra/dev/down.ts', env)).toContain('nothing was running');
  });

  test.runIf(canTie)('starts again after kill -9 of everything; kill -9 of it alone leaves nobody behind', async () => {
    const first = await up();
    const before = pids();
    await query('create table marks (n int); insert into marks values (4)');
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await first.kill9();
    await waitFor(() => before.every((pid) => !isAlive(pid)), { what: 'the end of all' });

    const second = await up();
    expect(await query('select n from marks')).toEqual([{ n: 4 }]);
    const children = pids();
    await second.kill9();
    const gone = () => children.every((pid) => !isAlive(pid));
    expect(await waitFor(gone, { what: 'the end of its children', timeoutMs: 30_000 })).toBe(true);
  });

  test('brings a server that dies back where it was', async () => {
    await up();
    const before = state();
    for (const name of ['postgres', 'temporal']) process.kill(before.services[name]?.pid ?? 0, 'SIGKILL');
    await waitFor(
      () => pids().every((pid) => isAlive(pid) && !Object.values(before.services).some((old) => old.pid === pid)),
      {
        what: 'both servers to come back',
        timeoutMs: 30_000,
      },
    );
    expect(state().environment).toEqual(before.environment);
    expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a pid file of another program does not count as a running stack; ports that are busy are not its own', async () => {
    writeFileSync(join(folder, 'up.pid'), `${process.pid}\n`);
    writeFileSync(join(folder, 'temporal.db.pid'), `${process.pid}\n`);
    const holder = createServer().listen(15_432, '127.0.0.1');
    // Somebody else on this machine may hold it already, which serves as well.
    holder.on('error', () => {});
    const first = await up();
    holder.close();
    expect(readFileSync(join(folder, 'up.pid'), 'utf8')).toBe(`${first.pid}\n`);
    const port = Number(new URL(state().environment['DATABASE_URL'] ?? '').port);
    expect(port).not.toBe(15_432);
    expect(port).toBeLessThan(32_768);
  });
});
