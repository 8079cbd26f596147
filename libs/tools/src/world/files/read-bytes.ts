import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ToolError, type FileTarget } from '../../kit/index.ts';
import { fileError } from './file-error.ts';

export interface ReadBytesInput {
  target: FileTarget;
  /** Closed in any case. */
  handle: FileHandle;
  stats: BigIntStats;
  maxBytes: number;
}

/** All bytes of an open file. Nothing is read of one that is too large, and no more than the limit of one that grows. */
export async function readBytes({ target, handle, stats, maxBytes }: ReadBytesInput): Promise<Uint8Array> {
  const { displayPath } = target;
  const tooLarge = (size: string) =>
    new ToolError('FS_TOO_LARGE', `cannot read "${displayPath}": ${size} exceed the limit of ${maxBytes} bytes`);
  try {
    if (stats.size > maxBytes) throw tooLarge(`its ${stats.size} bytes`);
    const buffer = Buffer.allocUnsafe(Number(stats.size) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length, length)).bytesRead;
    if (length > maxBytes) throw tooLarge('more and more bytes');
    return buffer.subarray(0, length);
  } catch (error) {
    throw error instanceof ToolError ? error : fileError('read', displayPath, error);
  } finally {
    await handle.close();
  }
}
