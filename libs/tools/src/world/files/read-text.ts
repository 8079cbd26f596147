import type { FileHandle } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { ToolError } from '../../kit/index.ts';
import { fileError, throwIfAborted, type FileVerb } from './file-error.ts';

const CHUNK_BYTES = 64 * 1024;
/** NUL among the first bytes is what marks a file as binary for readers, which do not hold the whole of it. */
const BINARY_SAMPLE_BYTES = 8192;

export interface ReadTextInput {
  verb: FileVerb;
  displayPath: string;
  /** Closed at the end of the iteration, however it ends. */
  handle: FileHandle;
  signal: AbortSignal;
}

/** Strictly decoded text in pieces of bounded size, without the byte order mark. */
export async function* readText({ verb, displayPath, handle, signal }: ReadTextInput): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (let position = 0; ;) {
      throwIfAborted(verb, signal);
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
      const bytes = buffer.subarray(0, bytesRead);
      if (position < BINARY_SAMPLE_BYTES && bytes.subarray(0, BINARY_SAMPLE_BYTES - position).includes(0))
        throw binaryFile(verb, displayPath);
      position += bytesRead;
      const text = decode(decoder, bytes, bytesRead > 0, verb, displayPath);
      if (text) yield text;
      if (bytesRead === 0) return;
    }
  } catch (error) {
    throw error instanceof ToolError ? error : fileError(verb, displayPath, error);
  } finally {
    await handle.close();
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean, verb: FileVerb, displayPath: string): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new ToolError('FS_NOT_TEXT', `cannot ${verb} "${displayPath}": invalid UTF-8 text`);
  }
}

/** The refusal of a file that holds NUL. */
export const binaryFile = (verb: FileVerb, displayPath: string): ToolError =>
  new ToolError('FS_NOT_TEXT', `cannot ${verb} "${displayPath}": binary file`);
