import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isWithin } from './project-folder.ts';

/** What was read of a file. */
export interface ReadText {
  text: string;
  /** There is more of it. */
  cut: boolean;
}

/**
 * The text of a regular file that really lies in a folder; links that lead out of it, other kinds of files and what is no
 * text are as good as absent. Must not throw.
 */
export async function readWithin(folder: string, path: string, maxBytes: number): Promise<ReadText | undefined> {
  const read = await tryReadWithin(folder, path, maxBytes);
  return read === 'unreadable' ? undefined : read;
}

/** The same; `unreadable` = it may be there, and could not be read just now. */
export async function tryReadWithin(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<ReadText | 'unreadable' | undefined> {
  try {
    const real = await realpath(path);
    if (!isWithin(folder, real)) return undefined;
    // Whatever was put in its place since: a link is not followed, a pipe does not block.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return undefined;
      const buffer = Buffer.alloc(maxBytes + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length <= maxBytes; length += read)
        ({ bytesRead: read } = await file.read(buffer, length, buffer.length - length, length));
      return decoded(buffer.subarray(0, Math.min(length, maxBytes)), length > maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    return isPassing(error) ? 'unreadable' : undefined;
  }
}

const PASSING = new Set(['EAGAIN', 'EBUSY', 'EINTR', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'ETIMEDOUT']);

/** Whether reading may work in a while: what is absent, or not for us, is something else. */
export const isPassing = (error: unknown): boolean => PASSING.has(String((error as { code?: unknown } | null)?.code));

function decoded(bytes: Uint8Array, cut: boolean): ReadText | undefined {
  // A character that the end cuts in two is left out; anything else that is not UTF-8 makes it no text.
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
  return text.includes('\0') ? undefined : { text, cut };
}
