import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

/** Runs a TypeScript entry from source under the given Node; passes signals on, answers the exit status. */
export function runNode(node, entry, args, root) {
  const env = {
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile'),
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
  };
  const [command, ...rest] = tied([node, entry, ...args]);
  const child = spawn(command, rest, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

// Where the kernel can do it, `kill -9` of this process ends the stack in order instead of leaving it to nobody.
function tied(command) {
  const setpriv = process.platform === 'linux' && ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  return setpriv ? [setpriv, '--pdeathsig', 'TERM', '--', ...command] : command;
}
