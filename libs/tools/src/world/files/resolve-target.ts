import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { characterHead, ToolError, type FileTarget } from '../../kit/index.ts';
import { fileError, type FileVerb } from './file-error.ts';

const MAX_LINKS = 40;
/** As the system has it; a longer one is not even repeated in messages. */
const MAX_PATH_BYTES = 4_096;

export interface ResolveTargetInput {
  verb: FileVerb;
  path: string;
  /** Absolute. */
  cwd: string;
}

/** Where a path points: `displayPath` as spelled, `identity` the same for every spelling, before and after creation. */
export async function resolveTarget({ verb, path, cwd }: ResolveTargetInput): Promise<FileTarget> {
  if (path.trim() === '') throw new ToolError('FS_NOT_FOUND', 'file_path must be a non-empty string');
  if (path.includes('\0')) throw new ToolError('FS_NOT_FOUND', 'file_path must not contain NUL characters');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new ToolError('FS_IO_ERROR', `cannot ${verb} "${characterHead(path, 100)}…": the name is too long`);
  try {
    // `..` is lexical below, so a cwd reached through a link must be made real first.
    const climbs = [cwd, ...(isAbsolute(path) ? [] : [path])].some((part) => part.split('/').includes('..'));
    const base = climbs ? await realpath(cwd) : cwd;
    const displayPath = resolve(base, path);
    return { displayPath, identity: await realTarget(displayPath) };
  } catch (error) {
    throw error instanceof ToolError ? error : fileError(verb, resolve(cwd, path), error);
  }
}

/** The real path; where the end is missing, the real path of what exists and the rest. Follows dangling links. */
export async function realTarget(path: string, links = 0): Promise<string> {
  if (links > MAX_LINKS) throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const pointed = await readlink(path).catch(() => undefined);
  if (pointed !== undefined) return realTarget(resolve(dirname(path), pointed), links + 1);
  const parent = dirname(path);
  return parent === path ? path : join(await realTarget(parent, links), basename(path));
}
