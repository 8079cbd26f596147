import { ToolError, type ToolErrorCode } from '../../kit/index.ts';

export type FileVerb = 'read' | 'write' | 'edit' | 'inspect' | 'list';

/** Turns what the system said about a path into our error, with a message the model can act on. */
export function fileError(verb: FileVerb, displayPath: string, error: unknown): ToolError {
  const fail = (code: ToolErrorCode, what: string) =>
    new ToolError(code, `cannot ${verb} "${displayPath}": ${what}`, { cause: undefined });
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return fail('FS_NOT_FOUND', 'not found');
    case 'ENOTDIR':
      return fail('FS_NOT_FOUND', 'a parent segment is not a directory');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return fail('FS_PERMISSION_DENIED', 'permission denied');
    case 'EISDIR':
      return fail('FS_NOT_REGULAR_FILE', 'it is a directory');
    case 'ENXIO': // a FIFO without a reader, a socket, a device without a driver
      return fail('FS_NOT_REGULAR_FILE', 'it is not a regular file');
    case 'ELOOP':
      return fail('FS_IO_ERROR', 'too many symbolic links');
    case 'ENAMETOOLONG':
      return fail('FS_IO_ERROR', 'the name is too long');
    case 'ENOSPC':
    case 'EDQUOT':
      return fail('FS_IO_ERROR', 'no space left');
    default:
      return fail('FS_IO_ERROR', error instanceof Error ? error.message : String(error));
  }
}

/** Throws `FS_ABORTED` once the signal is raised. */
export function throwIfAborted(verb: FileVerb, signal: AbortSignal): void {
  if (signal.aborted) throw new ToolError('FS_ABORTED', `${verb} aborted`);
}
