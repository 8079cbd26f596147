import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** One file as it was: its digest, and its text where that is small enough to compare line by line. */
export interface FileState {
  digest: string;
  text?: string;
}

/** A folder as it was, by path relative to it. `complete` is false when it held more than could be looked at. */
export interface Snapshot {
  files: ReadonlyMap<string, FileState>;
  complete: boolean;
}

/** Folders whose contents tools and package managers write, not people. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules', '.everturn']);
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Reads a folder so that it can be compared later; links are noted and not followed. A missing folder is an empty one. */
export async function takeSnapshot(root: string): Promise<Snapshot> {
  const files = new Map<string, FileState>();
  const folders = [root];
  let room = MAX_TEXT_BYTES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(path);
        continue;
      }
      if (files.size >= MAX_FILES) return { files, complete: false };
      const state = await stateOf(path, entry, room);
      room -= state.text?.length ?? 0;
      files.set(relative(root, path), state);
    }
  }
  return { files, complete: true };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  // A folder that vanished or may not be read counts as empty: the comparison is a service, not a proof.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function stateOf(path: string, entry: Dirent, room: number): Promise<FileState> {
  try {
    if (entry.isSymbolicLink()) return { digest: `link:${await readlink(path)}` };
    const { size, mtimeMs } = await lstat(path);
    if (!entry.isFile() || size > Math.min(MAX_FILE_BYTES, room)) return { digest: `stat:${size}:${mtimeMs}` };
    const bytes = await readFile(path);
    const digest = createHash('sha256').update(bytes).digest('hex');
    return bytes.includes(0) ? { digest } : { digest, text: bytes.toString('utf8') };
  } catch {
    return { digest: 'unreadable' };
  }
}
