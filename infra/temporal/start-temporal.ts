import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InfraError, isInfraError } from '../process/infra-error.ts';
import { holderOf, takePidFile } from '../process/pid-file.ts';
import { poll } from '../process/poll.ts';
import { choosePort, isListening } from '../process/port.ts';
import { isAlive } from '../process/running-program.ts';
import { spawnTied } from '../process/spawn-tied.ts';
import { serverEnvironment } from '../process/server-environment.ts';
import { dynamicConfigFlags } from './dynamic-config.ts';

/** How to start the Temporal dev server. */
export interface StartTemporalInput {
  /** The Temporal CLI. */
  readonly program: string;
  /** The SQLite file everything is kept in. */
  readonly database: string;
  readonly namespace: string;
  /** Wanted ports; others are taken when they are busy, unless `fixedPort`. */
  readonly port?: number;
  readonly uiPort?: number;
  readonly fixedPort?: boolean;
  /** More values of the server's dynamic config, `name=JSON`. */
  readonly dynamicConfig?: readonly string[];
  readonly log?: (text: string) => void;
}

/** A running Temporal dev server. */
export interface TemporalServer {
  readonly address: string;
  readonly uiUrl: string;
  readonly port: number;
  readonly uiPort: number;
  readonly pid: number;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the dev server on its SQLite file, after ending one that a dead launcher left on it. */
export async function startTemporal(input: StartTemporalInput): Promise<TemporalServer> {
  const database = resolve(input.database);
  mkdirSync(dirname(database), { recursive: true });
  await endLeftover(database);
  for (let attempt = 1; ; attempt += 1) {
    const fixed = input.fixedPort === true;
    const port =
      fixed && input.port !== undefined ? input.port : await choosePort(attempt === 1 ? input.port : undefined);
    const uiPort =
      fixed && input.uiPort !== undefined ? input.uiPort : await choosePort(attempt === 1 ? input.uiPort : undefined);
    try {
      return await launch({ ...input, database }, port, uiPort);
    } catch (error) {
      if (!isInfraError(error, 'INFRA_PORT_TAKEN') || fixed || attempt === 5) throw error;
    }
  }
}

const pidFileOf = (database: string) => `${database}.pid`;
const marksOf = (database: string) => ['start-dev', database];

// Two servers on one file corrupt each other, so the old one goes before the new one comes.
async function endLeftover(database: string): Promise<void> {
  const pid = holderOf(pidFileOf(database), marksOf(database));
  if (pid === undefined) return;
  process.kill(pid, 'SIGTERM');
  const gone = await poll(() => (isAlive(pid) ? undefined : true), 15_000);
  if (gone) return;
  throw new InfraError(
    'INFRA_STILL_RUNNING',
    `a Temporal dev server (pid ${pid}) still holds ${database}`,
    `end it with: kill -9 ${pid}`,
  );
}

async function launch(
  input: StartTemporalInput & { database: string },
  port: number,
  uiPort: number,
): Promise<TemporalServer> {
  const { program, database, namespace } = input;
  const where = ['--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort), '--db-filename', database];
  const args = [
    'server',
    'start-dev',
    ...where,
    '--namespace',
    namespace,
    '--log-level',
    'error',
    ...dynamicConfigFlags(),
    ...(input.dynamicConfig ?? []).flatMap((value) => ['--dynamic-config-value', value]),
  ];
  // Its own process group: Ctrl-C in the terminal must not stop it before its clients.
  const options: SpawnOptions = {
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  // Its file holds what was said: other users of this machine are not to read it.
  const umask = process.umask(0o077);
  const child = spawnTied(program, args, options, 'TERM');
  process.umask(umask);
  const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()));
  const heard = listen(child, input.log);
  await untilServing(child, port, heard);
  const pid = child.pid ?? 0;
  const rival = takePidFile(pidFileOf(database), pid, marksOf(database));
  if (rival) {
    child.kill('SIGTERM');
    throw new InfraError(
      'INFRA_STILL_RUNNING',
      `another Temporal dev server (pid ${rival.holder}) was started on ${database}`,
      'use that one, or stop it first',
    );
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(pidFileOf(database), { force: true });
  };
  return { address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}`, port, uiPort, pid, exited, stop };
}

function listen(child: ChildProcess, log: ((text: string) => void) | undefined): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log?.(String(chunk));
      if (said.length < 100_000) said += String(chunk);
    });
  }
  return () => said;
}

async function untilServing(child: ChildProcess, port: number, heard: () => string): Promise<void> {
  let ended = false;
  child.once('exit', () => (ended = true)).once('error', () => (ended = true));
  const outcome = await poll(
    async () => (ended ? 'ended' : (await isListening(port)) ? 'serving' : undefined),
    60_000,
    25,
  );
  if (outcome === 'serving' && !ended) return;
  child.kill('SIGKILL');
  if (/address already in use|can't bind|can't set port/i.test(heard()))
    throw new InfraError('INFRA_PORT_TAKEN', `port ${port} or the UI's is taken`, 'free it, or choose another port');
  throw new InfraError(
    'INFRA_NOT_READY',
    `the Temporal dev server did not start:\n${heard().trim()}`,
    'read the lines above; `npm run reset` starts over with an empty server',
  );
}
