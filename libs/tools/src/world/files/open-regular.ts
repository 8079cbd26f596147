import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ToolError, type FileTarget } from '../../kit/index.ts';
import { fileError, type FileVerb } from './file-error.ts';
import { lookalike, lookalikeHint } from './lookalike.ts';

export interface OpenedFile {
  handle: FileHandle;
  stats: BigIntStats;
}

/** Opens a regular file for reading. Never waits: a FIFO without a writer or a device is refused at once. */
export async function openRegular(verb: FileVerb, target: FileTarget): Promise<OpenedFile> {
  const { displayPath, identity } = target;
  let handle: FileHandle | undefined;
  try {
    handle = await open(identity, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw notRegular(verb, displayPath, stats);
    return { handle, stats };
  } catch (error) {
    await handle?.close();
    throw error instanceof ToolError ? error : await missing(fileError(verb, displayPath, error), displayPath);
  }
}

/** A file that is not there, and whether one is that only looks so named. */
async function missing(error: ToolError, displayPath: string): Promise<ToolError> {
  const other = error.code === 'FS_NOT_FOUND' ? await lookalike(displayPath) : undefined;
  return other === undefined ? error : new ToolError(error.code, error.message + lookalikeHint(other));
}

/** The refusal of what is not a regular file. */
export function notRegular(verb: FileVerb, displayPath: string, stats: BigIntStats): ToolError {
  const what = stats.isDirectory() ? 'it is a directory' : 'it is not a regular file';
  return new ToolError('FS_NOT_REGULAR_FILE', `cannot ${verb} "${displayPath}": ${what}`);
}
