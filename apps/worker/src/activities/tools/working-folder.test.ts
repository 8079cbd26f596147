import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RunToolInput } from '../../contract/index.ts';
import { workingFolder } from './working-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'everturn-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const call = (fields: object) => fields as RunToolInput;

test('a session works in its workspace', async () => {
  const input = call({ cwd: '/elsewhere', tenant: 'acme', session: 's' });
  expect(await workingFolder(input, home)).toBe('/elsewhere');
  expect(existsSync(join(home, 'workspaces'))).toBe(false);
});

test.each([
  ['acme', 'hello', 'tenant-acme/session-hello'],
  ['acme', '..', 'tenant-acme/session-..'],
  ['..', '..', 'tenant-../session-..'],
  ['other', 'hello', 'tenant-other/session-hello'],
])('one without has a folder nobody else has: %s %s', async (tenant, session, folder) => {
  const input = call({ tenant, session });
  const own = join(home, 'workspaces', folder);
  expect([await workingFolder(input, home), await workingFolder(input, home)]).toEqual([own, own]);
  expect(existsSync(own)).toBe(true);
});
