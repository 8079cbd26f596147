import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';

const setpriv =
  process.platform === 'linux' ? ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file)) : undefined;

/** Whether this machine can tie a child's life to its parent's. Without it a killed parent leaves its children running. */
export const canTie = setpriv !== undefined;

/**
 * Spawns a program that the kernel signals when this process dies, even by SIGKILL.
 * `command` must be absolute when `options.cwd` is given. The pid is the program's own: setpriv execs.
 */
export function spawnTied(
  command: string,
  args: string[],
  options: SpawnOptions,
  onParentDeath: 'INT' | 'TERM' | 'KILL',
): ChildProcess {
  if (setpriv === undefined) return spawn(command, args, options);
  return spawn(setpriv, ['--pdeathsig', onParentDeath, '--', command, ...args], options);
}
