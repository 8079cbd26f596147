import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * The folders `workspace-write` may write to, real paths, each once. The workspace is one already: made real again it
 * would lead wherever somebody who may write above it has made it lead since.
 */
export function writableRoots(root: string): string[] {
  return [...new Set([root, ...['/tmp', tmpdir()].map(real)])];
}

/** Where a command starts: a link that is not the workspace's own would lead elsewhere inside than it does outside. */
export const startFolder = (root: string, cwd: string): string => (cwd.startsWith(`${root}/`) ? cwd : real(cwd));

function real(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder; // missing, so nothing can be written there either
  }
}
