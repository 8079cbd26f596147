import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { InfraError } from '../process/infra-error.ts';
import { poll } from '../process/poll.ts';
import { isListening } from '../process/port.ts';
import { commandLineOf } from '../process/running-program.ts';

/** A server found running on a data folder. */
export interface PreviousServer {
  readonly pid: number;
  readonly port: number;
}

/**
 * Clears the way for a start: answers the server that already runs on this folder and accepts connections,
 * waits for one that is going down, and removes a postmaster.pid whose pid now is another program.
 */
export async function previousServer(dataFolder: string): Promise<PreviousServer | undefined> {
  const settled = await poll(async () => {
    const named = readPostmasterFile(dataFolder);
    if (named === undefined || !isServerOf(dataFolder, named.pid)) return { running: undefined };
    return (await isListening(named.port)) ? { running: named } : undefined;
  }, 30_000);
  if (settled === undefined) {
    const pid = readPostmasterFile(dataFolder)?.pid;
    throw new InfraError(
      'INFRA_STILL_RUNNING',
      `Postgres ${pid} holds ${dataFolder} but accepts no connections`,
      `end it with: kill -QUIT ${pid}`,
    );
  }
  if (settled.running === undefined) rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
  return settled.running;
}

/** Whether this pid is a Postgres serving this folder, rather than a program that got its pid since. */
export function isServerOf(dataFolder: string, pid: number): boolean {
  const commandLine = commandLineOf(pid);
  return commandLine.includes('postgres') && commandLine.includes(`-D ${dataFolder}`);
}

/** The pid and port Postgres noted in its data folder, if it did. */
export function readPostmasterFile(dataFolder: string): PreviousServer | undefined {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}
