import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderEntry } from '../../kit/index.ts';

export interface ListFolderInput {
  /** Real path of the folder. */
  identity: string;
  /** What its entries' paths begin with. */
  displayPath: string;
  /** How many levels down. */
  depth: number;
  skip?(name: string): boolean;
  signal: AbortSignal;
}

/** What a folder holds, in no order; a folder within that cannot be opened is listed without its content. */
export async function listFolder(input: ListFolderInput): Promise<FolderEntry[]> {
  const { identity, displayPath, depth, skip, signal } = input;
  const entries: FolderEntry[] = [];
  for await (const entry of await opendir(identity)) {
    if (signal.aborted) return entries;
    if (skip?.(entry.name)) continue;
    const path = join(displayPath, entry.name);
    const kind = entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other';
    entries.push({ kind, path });
    if (kind !== 'directory' || depth <= 1) continue;
    const inner = { ...input, identity: join(identity, entry.name), displayPath: path, depth: depth - 1 };
    entries.push(...(await listFolder(inner).catch(() => [])));
  }
  return entries;
}
