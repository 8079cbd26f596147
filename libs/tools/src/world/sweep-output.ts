import type { Dirent } from 'node:fs';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OutputSpill } from './processes/output-spill.ts';

/** Where commands leave what was too long to show. */
export const OUTPUT_FOLDER = 'output';
const DAY_MS = 24 * 3_600_000;
/** Whole streams of commands, up to 64 MiB each. */
const KEEP_OUTPUT_MS = 7 * DAY_MS;
/** Results that were too long to show; forks read those of the session they come from, so they outlive it. */
const KEEP_RESULTS_MS = 30 * DAY_MS;
const EVERY_MS = 6 * 3_600_000;

/** Sweeps at once and then every six hours, until the answer is called. */
export function keepSwept(root: string): () => void {
  const sweep = () => void sweepOutput({ root, now: Date.now() });
  sweep();
  const timer = setInterval(sweep, EVERY_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Removes the output nobody wrote to for days, and folders of sessions that become empty. Links are not followed; what
 * vanishes meanwhile or refuses is left alone and keeps nothing else from being removed.
 */
export async function sweepOutput({ root, now }: { root: string; now: number }): Promise<void> {
  for (const { name, isFolder } of await entries(root)) {
    const path = join(root, name);
    if (isFolder && name === OUTPUT_FOLDER) await removeOldFiles(path, now - KEEP_OUTPUT_MS);
    if (!isFolder || !name.startsWith('session-')) continue;
    const before = now - KEEP_RESULTS_MS;
    const unused = await isOld(path, before); // asked first: removing a file counts as use
    await removeOldFiles(path, before);
    if (unused) await rmdir(path).catch(() => undefined); // refused while anything is in it
  }
}

async function removeOldFiles(folder: string, before: number): Promise<void> {
  for (const { name, isFile } of await entries(folder)) {
    const path = join(folder, name);
    if (isFile && !OutputSpill.isOpen(path) && (await isOld(path, before)))
      await rm(path, { force: true }).catch(() => undefined);
  }
}

const isOld = (path: string, before: number): Promise<boolean> =>
  lstat(path).then(
    ({ mtimeMs }) => mtimeMs < before,
    () => false,
  );

async function entries(folder: string): Promise<{ name: string; isFile: boolean; isFolder: boolean }[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return found.map((entry) => ({ name: entry.name, isFile: entry.isFile(), isFolder: entry.isDirectory() }));
}
