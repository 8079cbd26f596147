import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { nodeEnvironment } from './node-environment.ts';
import { TestingError } from './testing-error.ts';
import { workspaceRoot } from './workspace-root.ts';

/** How a process ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A real process of ours, running as it would in production. */
export interface SpawnedProcess {
  readonly pid: number;
  /** The JSON of its ready line. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly exited: Promise<ExitStatus>;
  /** Everything it wrote so far, both streams. */
  logs(): string;
  /** Ends it without warning, and waits until it is gone. */
  kill9(): Promise<ExitStatus>;
  /** Asks it to end (SIGTERM), waits until it is gone; kills it after `graceMs`. */
  stop(graceMs?: number): Promise<ExitStatus>;
}

/** What else a process may need. */
export interface SpawnProcessOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** How long it may take to print its ready line. */
  readonly readyTimeoutMs?: number;
}

// A test file that dies takes its processes along, so that no orphan serves the next run's queue.
const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));

/**
 * Starts an entry file (relative to the root of the checkout) under Node and waits for its line `{"ready":true,…}`.
 * `env` is laid over the test's own environment; undefined removes a variable.
 */
export async function spawnProcess(
  entry: string,
  env: Record<string, string | undefined> = {},
  options: SpawnProcessOptions = {},
): Promise<SpawnedProcess> {
  const child = launch(entry, env, options);
  const output = capture(child);
  const exited = new Promise<ExitStatus>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const ready = await untilReady(child, exited, output, entry, options.readyTimeoutMs ?? 60_000);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  const stop = async (graceMs = 40_000) => {
    const overdue = setTimeout(() => child.kill('SIGKILL'), graceMs);
    const status = await end('SIGTERM');
    clearTimeout(overdue);
    return status;
  };
  return { pid: child.pid ?? 0, ready, exited, logs: () => output.text, kill9: () => end('SIGKILL'), stop };
}

function launch(
  entry: string,
  env: Record<string, string | undefined>,
  { args = [], cwd = workspaceRoot }: SpawnProcessOptions,
): ChildProcess {
  const file = isAbsolute(entry) ? entry : join(workspaceRoot, entry);
  const command = [process.execPath, file, ...args];
  const tied = setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', '--', ...command];
  const [program = process.execPath, ...rest] = tied;
  return spawn(program, rest, {
    cwd,
    env: { ...process.env, ...nodeEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

interface Output {
  text: string;
  onLine: (line: string) => void;
}

function capture(child: ChildProcess): Output {
  const output: Output = { text: '', onLine: () => {} };
  let unfinished = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output.text += chunk;
    const lines = (unfinished + chunk).split('\n');
    unfinished = lines.pop() ?? '';
    lines.forEach((line) => output.onLine(line));
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk));
  return output;
}

function untilReady(
  child: ChildProcess,
  exited: Promise<ExitStatus>,
  output: Output,
  entry: string,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fail = (what: string, cause?: unknown) => {
      child.kill('SIGKILL');
      reject(
        new TestingError(
          'TESTING_PROCESS_FAILED',
          `${entry} ${what}`,
          `its output was:\n${output.text.slice(-8000)}`,
          cause,
        ),
      );
    };
    const overdue = setTimeout(() => fail(`printed no ready line within ${timeoutMs} ms`), timeoutMs);
    output.onLine = (line) => {
      const ready = parseReady(line);
      if (ready === undefined) return;
      output.onLine = () => {};
      clearTimeout(overdue);
      resolve(ready);
    };
    child.once('error', (error) => fail('could not be started', error));
    void exited.then(({ code, signal }) => {
      clearTimeout(overdue);
      fail(`ended (${signal ?? code}) before it was ready`);
    });
  });
}

function parseReady(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{') || !line.includes('"ready":true')) return undefined;
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    return value['ready'] === true ? value : undefined;
  } catch {
    return undefined;
  }
}
