import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindSkillsInput, FoundSkills, LoadedSkill, Skill, SkillsPort } from '../../kit/index.ts';
import { projectFolder } from '../workspace/project-folder.ts';
import { isPassing, tryReadWithin } from '../workspace/read-within.ts';
import { parseSkill } from './parse-skill.ts';

const MAX_BYTES = 256 * 1024;
/** Skills of one folder beyond so many are not looked at. */
const MAX_ENTRIES = 500;

export interface LocalSkillsInput {
  /** Folders that sessions may work in. */
  roots: readonly string[];
  /** Folders of skills that the deployment gives to every session. */
  folders?: readonly string[];
  /** The home folder of who runs the worker. */
  home?: string;
}

/** What a look at some places found. */
interface Looked {
  skills: readonly LoadedSkill[];
  complete: boolean;
}

interface Place {
  folder: string;
  /** What may be read: the files must lie in there. */
  within: string;
  source: Skill['source'];
}

/** Skills in folders of this machine, read anew each time, so that what was just written counts. */
export class LocalSkills implements SkillsPort {
  readonly #input: LocalSkillsInput;

  constructor(input: LocalSkillsInput) {
    this.#input = input;
  }

  async list(input: FindSkillsInput): Promise<FoundSkills> {
    const { skills, complete } = await this.#all(input);
    return { skills: skills.map(({ instructions: _, ...skill }) => skill), complete };
  }

  async load({ name, ...input }: FindSkillsInput & { name: string }): Promise<LoadedSkill | undefined> {
    return (await this.#all(input)).skills.find((skill) => skill.name === name);
  }

  /** The first of each name, by name in code units. */
  async #all({ cwd, added = [] }: FindSkillsInput): Promise<Looked> {
    const found = new Map<string, LoadedSkill>();
    let complete = true;
    const take = (place: Looked) => {
      complete &&= place.complete;
      for (const skill of place.skills) if (!found.has(skill.name)) found.set(skill.name, skill);
    };
    const { project, others } = await this.#places(cwd);
    for (const place of project) take(await skillsIn(place));
    take({ skills: added, complete: true });
    for (const place of others) take(await skillsIn(place));
    return { skills: [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), complete };
  }

  /** Where skills may lie, the place that wins first. */
  async #places(cwd: string): Promise<{ project: Place[]; others: Place[] }> {
    const { roots, folders = [], home } = this.#input;
    const project = await projectFolder(cwd, roots);
    const inside = (root: string, source: Skill['source']) =>
      ['.dsh', '.agents'].map((name): Place => ({ folder: join(root, name, 'skills'), within: root, source }));
    return {
      project: project ? inside(project.root, 'project') : [],
      others: [
        ...folders.map((folder): Place => ({ folder, within: folder, source: 'deployment' })),
        ...(home === undefined ? [] : inside(home, 'user')),
      ],
    };
  }
}

/** `<name>/SKILL.md` or `<name>.md`, one level deep. */
async function skillsIn({ folder, within, source }: Place): Promise<Looked> {
  let complete = true;
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    complete = !isPassing(error);
    return [];
  });
  const skills: LoadedSkill[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_ENTRIES)) {
    const own = join(folder, entry.name);
    const lone = entry.name.endsWith('.md') && !entry.isDirectory();
    const path = lone ? own : join(own, 'SKILL.md');
    const read = await tryReadWithin(within, path, MAX_BYTES);
    if (read === 'unreadable') {
      complete = false;
      continue;
    }
    const parsed = read && !read.cut ? parseSkill(read.text) : undefined;
    if (parsed) skills.push({ ...parsed, source, path, ...(!lone && { folder: own }) });
  }
  return { skills, complete };
}
