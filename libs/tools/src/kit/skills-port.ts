/** Something an agent can learn when it needs it: a file that says how a kind of task is done. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly whenToUse?: string;
  /** Whether the model may load it by itself. */
  readonly byModel: boolean;
  /** Whether a person may call for it by `/name`. */
  readonly byPerson: boolean;
  readonly source: 'project' | 'plugin' | 'deployment' | 'user';
  /** The file it stands in, absolute; absent for one that a plugin brings. */
  readonly path?: string;
  /** The folder of its own, with what belongs to it; absent where it is a lone file. */
  readonly folder?: string;
}

/** A skill with what it says. */
export interface LoadedSkill extends Skill {
  readonly instructions: string;
}

export interface FindSkillsInput {
  /** The session's working directory. */
  cwd: string;
  /** What plugins bring; it comes after the project's own. */
  added?: readonly LoadedSkill[];
}

/** The skills of a session, by name; the nearest of a name wins. */
export interface FoundSkills {
  readonly skills: readonly Skill[];
  /** `false` = a place could not be looked at just now, so that some may be missing. */
  readonly complete: boolean;
}

/** Where skills are. Must not throw: what cannot be read is left out. */
export interface SkillsPort {
  /** Every skill a session has. */
  list(input: FindSkillsInput): Promise<FoundSkills>;
  /** One of them as it stands now. */
  load(input: FindSkillsInput & { name: string }): Promise<LoadedSkill | undefined>;
}

/** What a skill may be called. */
export const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
