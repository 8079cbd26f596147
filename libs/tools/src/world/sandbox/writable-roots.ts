import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The folders `workspace-write` may write to, real paths, each once. */
export function writableRoots(root: string): string[] {
  return [...new Set([root, '/tmp', tmpdir()].map(real))];
}

function real(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder; // missing, so nothing can be written there either
  }
}
