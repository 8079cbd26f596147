import type { Instructions, ProjectPort } from '../../kit/index.ts';
import { projectFolder } from './project-folder.ts';
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

  async instructions({ cwd, maxBytes }: { cwd: string; maxBytes: number }): Promise<Instructions[]> {
    const project = await projectFolder(cwd, this.#roots);
    return project ? readInstructions(project, maxBytes) : [];
  }
}
