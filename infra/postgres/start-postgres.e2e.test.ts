import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, spawnProcess, waitFor } from '@everturn/core/testing';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from '../process/running-program.ts';
import { postgresAccount } from './account.ts';
import { dataFolderFor, fallbackHome } from './reachable-home.ts';
import { type PostgresServer } from './server.ts';
import { startPostgres } from './start-postgres.ts';

const asRoot = process.getuid?.() === 0;
let folder: string;
let started: PostgresServer[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'everturn-launcher-'));
  chmodSync(folder, 0o755);
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()));
  rmSync(dataFolderFor(join(folder, 'pg'), postgresAccount()), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: { port?: number } = {}): Promise<PostgresServer> {
  const server = await startPostgres({ dataFolder: join(folder, 'pg'), fast: true, ...options });
  started.push(server);
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('a second start keeps the data', async () => {
  const first = await start();
  await query(first.url, 'create table marks (n int); insert into marks values (7)');
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'select n from marks')).toEqual([{ n: 7 }]);
});

test('a second start while it runs adopts the running server', async () => {
  const first = await start();
  const second = await start();
  expect({ pid: second.pid, port: second.port, adopted: second.adopted }).toEqual({
    pid: first.pid,
    port: first.port,
    adopted: true,
  });
});

test('a pid file whose pid is another program now does not block the start', async () => {
  const first = await start();
  await first.stop();
  const { dataFolder } = first;
  writeFileSync(join(dataFolder, 'postmaster.pid'), `${process.pid}\n${dataFolder}\n1\n${first.port}\n\n127.0.0.1\n`);
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a start killed in the middle of initdb does not block the next one', async () => {
  const first = await start();
  await first.stop();
  rmSync(join(first.dataFolder, 'PG_VERSION'));
  const second = await start();
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a taken port is left alone', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  const port = await waitFor(() => (holder.address() as { port: number } | null)?.port, { what: 'a port' });
  const server = await start({ port });
  holder.close();
  expect(server.port).not.toBe(port);
  expect(server.port).toBeLessThan(32_768);
});

test('only the password opens it', async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = 'postgres';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
});

test.runIf(asRoot)('as root it works in a folder nobody else can enter', async () => {
  chmodSync(folder, 0o700);
  const first = await start();
  expect(first.dataFolder.startsWith(fallbackHome)).toBe(true);
  await query(first.url, 'create table marks (n int); insert into marks values (9)');
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'select n from marks')).toEqual([{ n: 9 }]);
});

test.runIf(asRoot)('as root the server runs as another user', async () => {
  const { pid } = await start();
  const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  expect(Number(uid)).toBe(postgresAccount()?.uid);
});

test.runIf(existsSync('/usr/bin/setpriv'))('kill -9 of the launcher takes the server along', async () => {
  const launcher = await spawnProcess('infra/dev/serve.ts', {}, { args: ['postgres', '--data-dir', folder, '--fast'] });
  const pid = Number(launcher.ready['pid']);
  expect(isAlive(pid)).toBe(true);
  await launcher.kill9();
  expect(await waitFor(() => !isAlive(pid), { what: 'the end of the server' })).toBe(true);
});

test('its help says what it does', async () => {
  expect(await runScript('infra/dev/serve.ts', {}, ['--help'])).toContain('usage: serve postgres');
});
