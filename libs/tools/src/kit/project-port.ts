/** What one file of a project tells agents. */
export interface Instructions {
  /** From the project's root. */
  path: string;
  text: string;
  /** There was more of it than was wanted. */
  cut: boolean;
}

/** The project a session works in. Must not throw. */
export interface ProjectPort {
  /** Whether the folder is one of this machine that sessions may work in. */
  isHere(cwd: string): Promise<boolean>;
  /** Whether a real path lies in the folders that sessions may work in. */
  allows(folder: string): Promise<boolean>;
  /** What the project tells agents, from its root down to the working directory, at most so many bytes together. */
  instructions(input: { cwd: string; maxBytes: number }): Promise<Instructions[]>;
}
