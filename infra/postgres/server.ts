import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InfraError } from '../process/infra-error.ts';
import { poll } from '../process/poll.ts';
import { isAlive } from '../process/running-program.ts';
import { spawnTied } from '../process/spawn-tied.ts';
import { serverEnvironment } from '../process/server-environment.ts';
import type { Account } from './account.ts';

/** A running Postgres. */
export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  /** The postmaster's own pid, so that a crash test can kill it. */
  readonly pid: number;
  readonly dataFolder: string;
  /** Found running instead of started by us. */
  readonly adopted: boolean;
  /** Resolves when the server is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** Fast shutdown: ends sessions, flushes, returns when the process is gone. */
  stop(): Promise<void>;
}

/** What a launch needs once the folder, the account and the port are settled. */
export interface LaunchInput {
  readonly binaries: string;
  readonly dataFolder: string;
  readonly account: Account | undefined;
  readonly password: string;
  readonly port: number;
  readonly fast: boolean;
  readonly log: (text: string) => void;
}

/** Starts the postmaster and returns when it accepts connections. */
export async function launchServer(input: LaunchInput): Promise<PostgresServer> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const child = spawnPostmaster(input);
    const outcome = await firstWords(child, input.log);
    if (outcome.ready) return describe(child, input);
    // After kill -9 of a postmaster its backends need a moment to notice and let go of the shared memory.
    const heldByOrphans = /pre-existing shared memory|is still in use/.test(outcome.said);
    if (heldByOrphans && Date.now() < deadline) {
      await pause(200);
      continue;
    }
    if (/could not bind|Address already in use/.test(outcome.said)) {
      throw new InfraError('INFRA_PORT_TAKEN', `port ${input.port} is taken`, 'free it, or choose another port');
    }
    throw new InfraError(
      'INFRA_POSTGRES_FAILED',
      `Postgres did not start:\n${outcome.said.trim()}`,
      `look at ${input.dataFolder}; \`npm run reset\` starts over with an empty database`,
    );
  }
}

/** Describes a server that somebody else started on this folder. */
export function adoptServer({
  pid,
  port,
  dataFolder,
  password,
}: {
  pid: number;
  port: number;
  dataFolder: string;
  password: string;
}): PostgresServer {
  const exited = new Promise<void>((resolve) => {
    const watch = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(watch);
      resolve();
    }, 100).unref();
  });
  const stop = async () => {
    if (isAlive(pid)) process.kill(pid, 'SIGINT');
    await poll(() => (isAlive(pid) ? undefined : true), 60_000);
  };
  return { url: urlOf(port, password), port, pid, dataFolder, adopted: true, exited, stop };
}

function spawnPostmaster({ binaries, dataFolder, account, port, fast }: LaunchInput): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'logging_collector=off',
  ];
  // synchronous_commit stays on: it costs nothing without fsync, and kill -9 must lose no acknowledged commit.
  if (fast) settings.push('fsync=off', 'full_page_writes=off', 'autovacuum_naptime=10s');
  const args = ['-D', dataFolder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  const env = { ...serverEnvironment(), LC_ALL: 'C', TZ: 'UTC' };
  // Its own process group: Ctrl-C in the terminal must not stop it before its clients.
  return spawnTied(
    join(binaries, 'bin', 'postgres'),
    args,
    { ...identity, env, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    'INT',
  );
}

function firstWords(child: ChildProcess, log: (text: string) => void): Promise<{ ready: boolean; said: string }> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log(String(chunk));
      if (said.length < 100_000) said += String(chunk);
      if (said.includes('ready to accept connections')) resolve({ ready: true, said });
    });
    child.once('error', reject).once('close', () => resolve({ ready: false, said }));
  });
}

function describe(child: ChildProcess, { port, password, dataFolder }: LaunchInput): PostgresServer {
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
  };
  return { url: urlOf(port, password), port, pid: child.pid ?? 0, dataFolder, adopted: false, exited, stop };
}

function urlOf(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}
