import { dirname, join, relative } from 'node:path';
import type { Instructions } from '../../kit/index.ts';
import type { ProjectFolder } from './project-folder.ts';
import { readWithin } from './read-within.ts';

/** Files of instructions, the first that is there counts in each folder. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'] as const;

/**
 * What a project tells agents: of each folder from its root down to the working directory. Those nearest to the working
 * directory are the more to the point, so the budget is theirs first.
 */
export async function readInstructions(project: ProjectFolder, maxBytes: number): Promise<Instructions[]> {
  const found: Instructions[] = [];
  let left = maxBytes;
  for (const folder of foldersUp(project)) {
    for (const name of NAMES) {
      const read = left > 0 ? await readWithin(project.root, join(folder, name), left) : undefined;
      if (!read || read.text.trim() === '') continue;
      found.unshift({ path: relative(project.root, join(folder, name)), ...read });
      left -= Buffer.byteLength(read.text);
      break;
    }
  }
  return found;
}

function foldersUp({ cwd, root }: ProjectFolder): string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root; folders.push(folder)) folder = dirname(folder);
  return folders;
}
