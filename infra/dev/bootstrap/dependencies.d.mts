/** Runs `npm ci` when node_modules is absent, was left half-done, or is not what package-lock.json says. */
export function ensureDependencies(root: string): Promise<void>;

/** Whether node_modules holds what package-lock.json asks for. */
export function areInstalled(root: string): boolean;
