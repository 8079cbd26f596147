import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareSnapshots } from './compare.ts';
import { takeSnapshot } from './snapshot.ts';

test('names what was added, changed and removed, with lines where it is text', async () => {
  const root = mkdtempSync(join(tmpdir(), 'everturn-compare-'));
  const put = (path: string, content: string | Buffer) => writeFileSync(join(root, path), content);
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, 'node_modules'));
  put('src/a.ts', 'one\ntwo\nthree\nfour\n');
  put('gone.txt', 'x\n');
  put('same.txt', 'same\n');
  put('data.bin', Buffer.from([0, 1, 2]));
  put('big.log', 'a'.repeat(600_000));
  symlinkSync('same.txt', join(root, 'link'));
  const before = await takeSnapshot(root);
  put('src/a.ts', 'one\n2\nthree\nfour\n');
  rmSync(join(root, 'gone.txt'));
  put('data.bin', Buffer.from([0, 1, 3]));
  put('big.log', 'a'.repeat(600_001));
  put('REPORT.md', '# Report\nfine');
  put('node_modules/noise.js', 'noise');
  rmSync(join(root, 'link'));
  symlinkSync('src/a.ts', join(root, 'link'));
  const after = await takeSnapshot(root);
  expect([before.complete, after.complete]).toEqual([true, true]);
  expect(compareSnapshots(before, after)).toEqual([
    {
      path: 'REPORT.md',
      kind: 'added',
      added: 2,
      removed: 0,
      patch: ['@@ -0,0 +1,2 @@', '+# Report', '+fine', '\\ No newline at end of file'],
    },
    { path: 'big.log', kind: 'changed' },
    { path: 'data.bin', kind: 'changed' },
    { path: 'gone.txt', kind: 'removed', added: 0, removed: 1, patch: ['@@ -1,1 +0,0 @@', '-x'] },
    { path: 'link', kind: 'changed' },
    {
      path: 'src/a.ts',
      kind: 'changed',
      added: 1,
      removed: 1,
      patch: ['@@ -1,3 +1,3 @@', ' one', '-two', '+2', ' three'],
    },
  ]);
  rmSync(root, { recursive: true });
});

test('a folder that is not there is empty', async () => {
  const empty = await takeSnapshot('/nowhere/at/all');
  expect(empty).toEqual({ files: new Map(), complete: true });
  expect(compareSnapshots(empty, empty)).toEqual([]);
});
