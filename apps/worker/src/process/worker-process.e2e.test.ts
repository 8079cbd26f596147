import { createServer } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, readHost, type Database } from '@everturn/core/postgres';
import type { HostId } from '@everturn/core/domain';
import { spawnProcess, startServer, testDatabase, testTemporal, type TestDatabase } from '@everturn/core/testing';

let database: TestDatabase;
let rows: Database;
let environment: Record<string, string | undefined>;
const folder = mkdtempSync(join(tmpdir(), 'everturn-worker-'));

beforeAll(async () => {
  const [created, temporal] = await Promise.all([testDatabase(), testTemporal()]);
  database = created;
  rows = openDatabase(database.url);
  environment = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EVERTURN_DATA_DIR: folder,
    EVERTURN_HOST_ID: 'machine',
    EVERTURN_SHUTDOWN_GRACE_MS: '2000',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    OPENAI_API_KEY: 'sk-not-for-commands',
    DEEPSEEK_API_KEY: undefined,
    ANTHROPIC_API_KEY: undefined,
  };
});
afterAll(async () => {
  await rows.destroy();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const worker = (more: Record<string, string | undefined> = {}) =>
  spawnProcess('apps/worker/src/main.ts', { ...environment, ...more });
const epoch = async () => (await readHost(rows, 'machine' as HostId))?.epoch;

test('polls every queue, keeps its keys out of sight, and stops in order', async () => {
  const running = await worker();
  expect(running.ready).toEqual({
    ready: true,
    pid: running.pid,
    build: expect.stringMatching(/^[0-9a-f]{16}$/),
    host: 'machine',
    epoch: await epoch(),
    queues: ['everturn', 'everturn-model', 'everturn-host:machine', 'everturn-host:machine:control'],
  });
  const visible = readFileSync(`/proc/${running.pid}/environ`, 'utf8');
  expect(visible).not.toContain('sk-not-for-commands');
  expect(visible).not.toContain('postgres://');
  expect(running.logs()).not.toContain('sk-not-for-commands');
  expect(await running.stop()).toMatchObject({ code: 0 });
  expect((await readHost(rows, 'machine' as HostId))?.seenMsAgo).toBe(Number.POSITIVE_INFINITY);
});

test('a killed worker is followed at once; a living one is not pushed aside', async () => {
  const first = await worker();
  const before = await epoch();
  await first.kill9();
  const second = await worker();
  expect(await epoch()).toBe((before ?? 0) + 1);
  expect(second.logs()).not.toContain('waiting until its lease');
  await expect(worker()).rejects.toThrow('give this one a name of its own with EVERTURN_HOST_ID');
  expect(await second.stop()).toMatchObject({ code: 0 });
});

test('a worker whose host was taken over stops at once', async () => {
  const running = await worker();
  await rows.updateTable('hosts').set({ epoch: 99, holder: 'another' }).where('host_id', '=', 'machine').execute();
  expect(await running.exited).toMatchObject({ code: 1 });
  expect(running.logs()).toContain('another worker took this host over');
  await rows.deleteFrom('hosts').execute();
});

/** Stands where a server will be, until somebody asks for it in vain. */
async function knockedAt(address: string): Promise<void> {
  const { port } = new URL(address.includes('://') ? address : `tcp://${address}`);
  const knocked = Promise.withResolvers<void>();
  const door = createServer((socket) => {
    socket.destroy();
    knocked.resolve();
  }).listen(Number(port), '127.0.0.1');
  await knocked.promise;
  await new Promise((resolve) => door.close(resolve));
}

test('waits for a database that comes up later, and for Temporal', async () => {
  const [postgres, temporal] = await Promise.all([startServer('postgres'), startServer('temporal')]);
  await Promise.all([postgres.kill9(), temporal.kill9()]);
  const starting = worker({
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.url,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EVERTURN_HOST_ID: 'patient',
  });
  await knockedAt(postgres.url);
  await postgres.start();
  await knockedAt(temporal.url);
  await temporal.start();
  const running = await starting;
  expect(running.logs()).toMatch(/waiting for the database[^]*waiting for Temporal/);
  expect(await running.stop()).toMatchObject({ code: 0 });
  await Promise.all([postgres.drop(), temporal.drop()]);
}, 120_000);

test.each([
  [{ EVERTURN_PLUGINS: '/nowhere/plugin.ts' }, 'plugin /nowhere/plugin.ts'],
  [{ DATABASE_URL: undefined }, 'DATABASE_URL is not set'],
])('%j ends it with a sentence', async (more, sentence) => {
  await expect(worker(more)).rejects.toThrow(sentence);
});
