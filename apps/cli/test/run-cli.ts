import { spawn } from 'node:child_process';
import { join } from 'node:path';

const entry = join(import.meta.dirname, '../src/main.ts');

/** A running command line. */
export interface RunningCli {
  readonly pid: number;
  /** What it wrote so far. */
  stdout(): string;
  stderr(): string;
  signal(signal: NodeJS.Signals): void;
  hasEnded(): boolean;
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
}

/** Starts the command line as a process of its own, with a pipe for a terminal. */
export function startCli(args: readonly string[], env: Record<string, string | undefined>): RunningCli {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, NODE_OPTIONS: undefined, FORCE_COLOR: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    signal: (signal) => void child.kill(signal),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
  };
}
