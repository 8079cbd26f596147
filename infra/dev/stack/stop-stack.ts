import { join } from 'node:path';
import { InfraError } from '../../process/infra-error.ts';
import { poll } from '../../process/poll.ts';
import { commandLineOf, isAlive } from '../../process/running-program.ts';
import { type StackPaths, workspaceRoot } from './paths.ts';
import { showing, type Tell } from './progress.ts';
import { supervisorPid } from './running-stack.ts';
import { readState, removeState } from './state-file.ts';

/** Long enough for a worker that drains, then the servers. */
const stopMs = 90_000;

/** Ends the supervisor and whatever a killed one left behind; answers whether there was anything. */
export async function stopStack(paths: StackPaths): Promise<boolean> {
  const supervisor = supervisorPid(paths);
  if (supervisor !== undefined) await end('everturn', supervisor);
  const orphans = Object.entries(readState(paths.state)?.services ?? {}).filter(([, { pid }]) => isOurs(paths, pid));
  for (const [name, { pid }] of orphans.toReversed()) await end(name, pid);
  removeState(paths.state);
  return supervisor !== undefined || orphans.length > 0;
}

// A pid in a file may be another program's by now: only one that was started from here is ended.
function isOurs(paths: StackPaths, pid: number): boolean {
  const commandLine = commandLineOf(pid);
  return [paths.dataDir, join(workspaceRoot, 'apps'), join(workspaceRoot, 'libs')].some((mark) =>
    commandLine.includes(mark),
  );
}

async function end(name: string, pid: number): Promise<void> {
  const work = async (tell: Tell): Promise<void> => {
    tell('stopping');
    // For Postgres this is the fast shutdown; SIGTERM would wait for its clients.
    process.kill(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
    const gone = await poll(() => (isAlive(pid) ? undefined : true), stopMs);
    if (!gone) throw new InfraError('INFRA_STILL_RUNNING', `${name} (pid ${pid}) does not end`, `kill -9 ${pid}`);
  };
  await showing(name, work, () => 'stopped');
}
