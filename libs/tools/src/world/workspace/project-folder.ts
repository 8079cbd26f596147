import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** A session's project: where it works, and the folder its rules and skills are looked for from. Both are real paths. */
export interface ProjectFolder {
  cwd: string;
  root: string;
}

/**
 * The nearest folder that holds a `.git`, from a working directory up to one of the allowed roots; without one the
 * working directory itself. `undefined` when it does not exist here or lies outside of every root.
 */
export async function projectFolder(cwd: string, roots: readonly string[]): Promise<ProjectFolder | undefined> {
  const here = await realOf(cwd);
  if (here === undefined) return undefined;
  const allowed = (await Promise.all(roots.map(realOf))).filter((root) => root !== undefined);
  if (!allowed.some((root) => isWithin(root, here))) return undefined;
  for (let folder = here; allowed.some((root) => isWithin(root, folder)); folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return { cwd: here, root: folder };
    if (dirname(folder) === folder) break;
  }
  return { cwd: here, root: here };
}

/** Whether a real path is a folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
