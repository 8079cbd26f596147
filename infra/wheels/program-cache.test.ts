import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bubblewrapRelease } from '../sandbox/bubblewrap-release.ts';
import { cliRelease } from '../temporal/cli-release.ts';
import { cachedProgram, programIn, sha256Of } from './program-cache.ts';

const cache = mkdtempSync(join(tmpdir(), 'everturn-cache-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test.each([cliRelease, bubblewrapRelease])(
  '$title with other bytes than the pinned ones is not used',
  async (release) => {
    const folder = join(cache, release.folder);
    expect(await cachedProgram(cache, release)).toBeUndefined();
    mkdirSync(dirname(programIn(folder, release)), { recursive: true });
    writeFileSync(programIn(folder, release), 'something else');
    writeFileSync(join(folder, 'sha256'), 'not its hash\n');
    expect(await cachedProgram(cache, release)).toBeUndefined();
  },
);

test('hashes a file', async () => {
  const file = join(cache, 'abc');
  writeFileSync(file, 'abc');
  expect(await sha256Of(file)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
