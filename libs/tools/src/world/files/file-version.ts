import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { FileVersion } from '../../kit/index.ts';

/** The version of a file: the change time catches a rewrite whose size and modification time were put back. */
export const versionOf = (stats: BigIntStats): FileVersion =>
  [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');

/** The stats of a real path, or `undefined` when nothing is there. */
export async function statsOf(identity: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(identity, { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
