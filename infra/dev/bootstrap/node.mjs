import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Node to go on with: the pinned one from node_modules, else this one if package.json's engines allow it. */
export function chooseNode(root) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned) && spawnSync(pinned, ['--version']).status === 0) return pinned;
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const least = engines.node.replace('>=', '');
  if (isAtLeast(process.versions.node, least)) return process.execPath;
  throw new Error(
    `Node ${process.versions.node} is too old: Everturn needs ${least} or later, and npm has no Node for ${process.platform}-${process.arch}\n  → install Node 24 (nodejs.org, nvm, fnm or your package manager) and run this again`,
  );
}

/** Whether version a is b or later; both are three numbers with dots. */
export function isAtLeast(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const position = left.findIndex((part, index) => part !== right[index]);
  return position === -1 || left[position] > right[position];
}
