import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from './workspace-root.ts';

/** A URL, so that it resolves from any folder. */
const decorators = pathToFileURL(join(workspaceRoot, 'node_modules/@oxc-node/core/register.mjs')).href;

/** How Node runs an entry of ours from source, as the dev stack does: only the API has decorators. */
export function nodeArgumentsFor(entry: string): string[] {
  return entry.includes('apps/api/') ? ['--import', decorators] : [];
}

/** Vitest's own loader hooks must not reach a process under test; what Node compiles once, later processes load. */
export const nodeEnvironment = {
  NODE_OPTIONS: undefined,
  NODE_COMPILE_CACHE: join(workspaceRoot, 'node_modules/.cache/node-compile'),
};
