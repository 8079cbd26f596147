/** What a deployment ships for work on documents; every path is absolute. */
export interface WorkspaceDependencies {
  python: string;
  node?: string;
  /** A script for `node`. */
  pnpm?: string;
  /** Folder of libraries. */
  pythonPackages: string;
  nodePackages?: string;
  /** Version by name of each distribution in `pythonPackages`. */
  pythonDistributions: Record<string, string>;
}

/** The dependencies of this machine. */
export interface DependenciesPort {
  /** Makes them ready once; throws an error that starts with `primary runtime:`, and tries again when asked again. */
  load(): Promise<WorkspaceDependencies>;
}
