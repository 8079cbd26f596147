#!/usr/bin/env node
// The door of every npm script. Plain JavaScript without dependencies, because it runs before there are any, and on
// whatever Node the machine has (18 or later). It installs what is missing and goes on under the pinned Node.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './bootstrap/dependencies.mjs';
import { chooseNode } from './bootstrap/node.mjs';
import { runNode } from './bootstrap/run-node.mjs';

const commands = {
  up: ['infra/dev/up.ts', 'start everything on this machine and run the demo job'],
  down: ['infra/dev/down.ts', 'stop what `up` started'],
  status: ['infra/dev/status.ts', 'what runs where'],
  reset: ['infra/dev/reset.ts', 'stop, and remove all data of this checkout'],
  bootstrap: ['infra/dev/bootstrap.ts', 'prepare a real Temporal cluster and database'],
  cli: ['infra/dev/cli.ts', 'the everturn command line against the running stack (npm run everturn)'],
  test: ['infra/dev/test.ts', 'everything that must hold'],
  bench: ['infra/bench/main.ts', 'measurements'],
  'workspace-dependencies': ['infra/dev/workspace-dependencies.ts', 'the Python and libraries sessions may load'],
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;

if (command === undefined || !existsSync(join(root, command[0]))) {
  const lines = Object.entries(commands).map(([known, [, what]]) => `  ${known.padEnd(22)} ${what}`);
  console.log(`usage: npm run <command> [-- options]      (-- --help explains one)\n\n${lines.join('\n')}`);
  process.exit(name === undefined || name === '--help' || name === '-h' ? 0 : 2);
}

try {
  await ensureDependencies(root);
  process.exitCode = await runNode(chooseNode(root), join(root, command[0]), args, root);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
