import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { openWorkspace, temporaryDirectory } from '../../test/workspace.ts';
import { OutputSpill } from './processes/output-spill.ts';
import { sweepOutput } from './sweep-output.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2030, 0, 31);

/** A file last written so many days ago, in a folder not touched since. */
function write(root: string, name: string, days: number): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
  age(path, days);
  age(dirname(path), days);
  return path;
}

function age(path: string, days: number): void {
  const at = new Date(NOW - days * DAY_MS);
  utimesSync(path, at, at);
}

test('output of commands goes after a week, results after thirty days, and nothing else', async () => {
  const root = temporaryDirectory();
  const aside = write(temporaryDirectory(), 'aside', 99);
  for (const [name, days] of [
    ['output/old.log', 8],
    ['output/new.log', 6],
    ['session-a/old', 31],
    ['session-b/new', 29],
    ['other/old', 99],
  ] as const)
    write(root, name, days);
  symlinkSync(dirname(aside), join(root, 'session-c'));
  symlinkSync(aside, join(root, 'output', 'link'));
  await sweepOutput({ root, now: NOW });
  expect(readdirSync(root, { recursive: true }).map(String).toSorted()).toEqual([
    'other',
    'other/old',
    'output',
    'output/link',
    'output/new.log',
    'session-b',
    'session-b/new',
    'session-c',
    'session-c/aside',
  ]);
});

test('a file that a quiet command still writes to stays until that ends', async () => {
  const root = temporaryDirectory();
  const folder = join(root, 'output');
  mkdirSync(folder);
  const spill = new OutputSpill({ folder, stream: 'stdout', maxBytes: 10 });
  await spill.write(Buffer.from('x'));
  const path = spill.path ?? '';
  age(path, 8);
  await sweepOutput({ root, now: NOW });
  expect(existsSync(path)).toBe(true);
  expect(await spill.finish()).toBe(path);
  await sweepOutput({ root, now: NOW });
  expect(existsSync(path)).toBe(false);
});

test('a machine that opens sweeps', async () => {
  const spillRoot = temporaryDirectory();
  const old = write(spillRoot, 'output/old.log', 0);
  utimesSync(old, 0, 0);
  await openWorkspace({ spillRoot });
  await waitFor(() => !existsSync(old), { what: 'the old file to be removed' });
  expect(existsSync(join(spillRoot, 'output'))).toBe(true);
});
