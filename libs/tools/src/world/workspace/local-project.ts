import { realpath } from 'node:fs/promises';
import type { Instructions, ProjectPort } from '../../kit/index.ts';
import { isWithin, projectFolder } from './project-folder.ts';
import { readInstructions } from './read-instructions.ts';

/** Projects in folders of this machine. */
export class LocalProject implements ProjectPort {
  readonly #roots: readonly string[];

  constructor(input: { roots: readonly string[] }) {
    this.#roots = input.roots;
  }

  async isHere(cwd: string): Promise<boolean> {
    return (await projectFolder(cwd, this.#roots)) !== undefined;
  }

  async allows(folder: string): Promise<boolean> {
    const real = await Promise.all(this.#roots.map((root) => realpath(root).catch(() => root)));
    // A folder that is not there has no real path, and is compared as it is called.
    return [...this.#roots, ...real].some((root) => isWithin(root, folder));
  }

  async instructions({ cwd, maxBytes }: { cwd: string; maxBytes: number }): Promise<Instructions[]> {
    const project = await projectFolder(cwd, this.#roots);
    return project ? readInstructions(project, maxBytes) : [];
  }
}
