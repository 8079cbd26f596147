import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from './workspace-root.ts';

/** How Node runs our TypeScript from source with decorator metadata; a URL, so that it resolves from any folder. */
export const nodeArguments = [
  '--import',
  pathToFileURL(join(workspaceRoot, 'node_modules/@oxc-node/core/register.mjs')).href,
];
