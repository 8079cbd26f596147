import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findApiKey, openDatabase } from '@everturn/core/postgres';
import { testDatabase, testTemporal, type TestDatabase, type TestTemporal } from '@everturn/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../src/doctor/finding.ts';
import { startCli } from './run-cli.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'everturn-cli-'));
let database: TestDatabase;
let temporal: TestTemporal;
beforeAll(async () => {
  [database, temporal] = await Promise.all([testDatabase(), testTemporal()]);
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

const cli = (args: string[], env: Record<string, string | undefined> = {}) =>
  startCli(args, {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EVERTURN_API_URL: 'http://127.0.0.1:9',
    EVERTURN_API_KEY: undefined,
    EVERTURN_DATA_DIR: dataDir,
    ...env,
  }).ended;

test('a key is made, shown once, listed without its secret, and revoked', async () => {
  const opened = openDatabase(database.url);
  const made = await cli(['keys', 'create', '-t', 'acme', '--name', 'ci \u001b[2J']);
  const secret = made.stdout.trim();
  const key = await findApiKey(opened, secret);
  expect({ ...made, key }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^evt_[\w-]{32}\n$/),
    stderr: `key ${key?.id} of tenant acme; it is not stored and cannot be shown again:\n`,
    key: { id: expect.stringMatching(/^[0-9a-f]{12}$/), tenant: 'acme' },
  });

  const listed = await cli(['keys', 'list', '-t', 'acme']);
  expect(listed.stdout).toContain(`${key?.id}  in force  `);
  expect(listed.stdout).toContain('ci ␛[2J');
  expect(listed.stdout).not.toContain(secret);

  const id = key?.id ?? '';
  const foreign = await cli(['keys', 'revoke', id, '-t', 'other']);
  expect(foreign).toEqual({
    status: 1,
    stdout: '',
    stderr: `everturn: CLI_REFUSED: tenant other has no key "${id}" in force → see \`everturn keys list --tenant other\`\n`,
  });
  expect(await findApiKey(opened, secret)).toEqual(key);
  expect(await cli(['keys', 'revoke', id, '-t', 'acme'])).toEqual({
    status: 0,
    stdout: `key ${id} is revoked\n`,
    stderr: '',
  });
  expect(await findApiKey(opened, secret)).toBeUndefined();
  await opened.destroy();
});

test('the log of a session nobody has is not verified', async () => {
  expect(await cli(['log', 'verify', 'nobody'])).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'everturn: CLI_REFUSED: there is no session nobody in this database → see `everturn sessions`; after a restore bring its row in table sessions back first\n',
  });
});

test('the doctor names what is there, what is missing and what to do', async () => {
  const { status, stdout } = await cli(['doctor', '--json']);
  const findings = new Map((JSON.parse(stdout) as Finding[]).map((finding) => [finding.name, finding]));
  expect(status).toBe(1);
  expect(findings.get('Node')?.state).toBe('ok');
  expect(findings.get('Postgres')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^PostgreSQL \d/) });
  expect(findings.get('Migrations')).toMatchObject({ state: 'ok' });
  expect(findings.get('Temporal')).toMatchObject({ state: 'ok', detail: expect.stringContaining(temporal.address) });
  expect(findings.get('Namespace')).toEqual({ name: 'Namespace', state: 'ok', detail: temporal.namespace });
  expect(findings.get('Search')).toMatchObject({ state: 'ok' });
  expect(findings.get('API')).toEqual({
    name: 'API',
    state: 'fail',
    detail: 'no API key is set',
    remedy: 'make one with `npm run everturn -- keys create --tenant <tenant>` and set EVERTURN_API_KEY',
  });
  expect(findings.get('Data folder')).toEqual({ name: 'Data folder', state: 'ok', detail: `${dataDir} is writable` });
  expect(stdout).not.toContain(new URL(database.url).password);
});

test('the doctor goes on where a server is away or a namespace is not there', async () => {
  const away = { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/d', TEMPORAL_NAMESPACE: 'nobody' };
  const { status, stdout, stderr } = await cli(['doctor'], away);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toContain('  ✗ Postgres      the database does not answer: ');
  expect(stdout).toContain('                  → start it with `npm run up`, or correct DATABASE_URL\n');
  expect(stdout).toContain('  ✗ Namespace     nobody does not exist\n');
  expect(stdout).not.toContain('hunter2');
});
