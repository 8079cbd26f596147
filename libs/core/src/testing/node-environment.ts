import { join } from 'node:path';
import { workspaceRoot } from './workspace-root.ts';

/** Vitest's own loader hooks must not reach a process under test; what Node compiles once, later processes load. */
export const nodeEnvironment = {
  NODE_OPTIONS: undefined,
  NODE_COMPILE_CACHE: join(workspaceRoot, 'node_modules/.cache/node-compile'),
};
