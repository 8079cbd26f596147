import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { waitFor } from '@everturn/core/testing';

/** A program of the machine that runs for a test, and ends with it at the latest. */
export interface RunningProgram {
  readonly port: number;
  /** Everything it wrote so far. */
  logs(): string;
  stop(): Promise<void>;
}

interface SpawnProgramInput {
  file: string;
  args: readonly string[];
  /** Where it will listen on loopback. */
  port: number;
  /** For a program that refuses to run as root. */
  as?: { uid: number; gid: number };
}

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));

/** Starts it and waits until it listens; rejects with its output when it ends before. */
export async function spawnProgram({ file, args, port, as }: SpawnProgramInput): Promise<RunningProgram> {
  const user = as && process.getuid?.() === 0 ? as : undefined;
  // The signal at the parent's death must be asked for after the user has changed, which would clear it.
  const command = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--', file, ...args] : [file, ...args];
  const [program = file, ...rest] = command;
  const child = spawn(program, rest, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], ...user });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  let ended: string | undefined;
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => resolve(void (ended = error.message)));
    child.once('close', (code, signal) => resolve(void (ended = String(signal ?? code))));
  });
  const state = await waitFor(async () => ended ?? ((await listens(port)) && 'listening'), {
    what: `${file} to listen on ${port}`,
  });
  if (state !== 'listening') throw new Error(`${file} ended (${state}): ${output}`);
  return {
    port,
    logs: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      const overdue = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(overdue);
    },
  };
}

/** A port of loopback that nobody uses right now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
