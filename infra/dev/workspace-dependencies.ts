/** Builds the payload of `load_workspace_dependencies`: `npm run workspace-dependencies`. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDependencies } from '../workspace-dependencies/build-dependencies.ts';
import { runCommand } from './run-command.ts';
import { stackPaths, workspaceRoot } from './stack/paths.ts';

const help = `usage: npm run workspace-dependencies [-- options]

Builds a Python environment with the libraries that the tool load_workspace_dependencies offers to sessions, and says
what to set. Needs python3 with venv and pip; replaces what it built before.

  --folder DIR         where; default workspace-dependencies in this checkout's data
  --requirements FILE  pinned requirements for pip, with all they need; default: office documents, tables and PDF`;

await runCommand(help, async (argv) => {
  const { values } = parseArgs({
    args: argv,
    options: { folder: { type: 'string' }, requirements: { type: 'string' } },
  });
  const folder = resolve(values.folder ?? join(stackPaths().dataDir, 'workspace-dependencies'));
  const usual = join(workspaceRoot, 'infra', 'workspace-dependencies', 'requirements.txt');
  const requirements = resolve(values.requirements ?? usual);
  await buildDependencies({ folder, requirements, tell: (text) => console.log(text) });
  console.log(`\nEVERTURN_WORKSPACE_DEPENDENCIES=${folder}`);
  console.log('and the set `dependencies` in EVERTURN_TOOLSETS, or in the toolsets of a session');
  return 0;
});
