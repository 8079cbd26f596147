import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cachedCli, programIn, sha256Of } from './cli-cache.ts';
import { cliRelease } from './cli-release.ts';

const cache = mkdtempSync(join(tmpdir(), 'everturn-cache-'));
const folder = join(cache, cliRelease.folder);
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test('a program with other bytes than the pinned ones is not used', async () => {
  expect(await cachedCli(cache)).toBeUndefined();
  mkdirSync(dirname(programIn(folder)), { recursive: true });
  writeFileSync(programIn(folder), 'something else');
  writeFileSync(join(folder, 'sha256'), 'not its hash\n');
  expect(await cachedCli(cache)).toBeUndefined();
});

test('hashes a file', async () => {
  const file = join(cache, 'abc');
  writeFileSync(file, 'abc');
  expect(await sha256Of(file)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
