import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { InfraError } from '../../process/infra-error.ts';
import { spawnTied } from '../../process/spawn-tied.ts';
import { LogFile } from './log-file.ts';
import { workspaceRoot } from './paths.ts';
import type { RunningService } from './service.ts';

/** One of our own processes: what to run, and how long it may take to say it is ready. */
export interface NodeChildInput {
  readonly name: string;
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logs: string;
  readonly readyMs?: number;
  /** How long it may take to end after SIGTERM. */
  readonly graceMs?: number;
}

/** A process that printed its ready line. */
export type NodeChild = Omit<RunningService, 'detail' | 'provides'> & { readonly ready: Record<string, unknown> };

/** The environment of a process of ours: what Node compiles once, later processes load, which start in half the time. */
export const nodeEnvironment = (environment: Readonly<Record<string, string>>): Record<string, string> => ({
  NODE_COMPILE_CACHE: join(workspaceRoot, 'node_modules/.cache/node-compile'),
  ...environment,
});

/** Starts one of our processes from source and waits for its line `{"ready":true,…}`. */
export async function startNodeChild(input: NodeChildInput): Promise<NodeChild> {
  const log = new LogFile(input.logs, input.name);
  // Its own process group, so that Ctrl-C reaches it through us and in order; killed with us, because all of it is durable.
  const options = { cwd: workspaceRoot, env: nodeEnvironment(input.environment), detached: true };
  const child = spawnTied(
    process.execPath,
    [join(workspaceRoot, input.entry)],
    { ...options, stdio: ['ignore', 'pipe', 'pipe'] },
    'KILL',
  );
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  const ready = await untilReady(child, input, log);
  return { pid: child.pid ?? 0, ready, exited, stop: () => stopChild(child, exited, input.graceMs ?? 40_000) };
}

function untilReady(child: ChildProcess, input: NodeChildInput, log: LogFile): Promise<Record<string, unknown>> {
  const { name, readyMs = 120_000 } = input;
  return new Promise((resolve, reject) => {
    const fail = (what: string, cause?: unknown) => {
      clearTimeout(overdue);
      child.kill('SIGKILL');
      const remedy = `its log is ${log.path} and ends with:\n${log.tail()}`;
      reject(new InfraError('INFRA_PROCESS_DIED', `${name} ${what}`, remedy, cause));
    };
    const overdue = setTimeout(() => fail(`was not ready after ${readyMs / 1000} s`), readyMs);
    let unfinished = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      log.write(chunk);
      const lines = (unfinished + chunk).split('\n');
      unfinished = lines.pop() ?? '';
      const ready = lines.map(readyLine).find((found) => found !== undefined);
      if (ready === undefined) return;
      clearTimeout(overdue);
      resolve(ready);
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => log.write(chunk));
    child.once('error', (error) => fail('could not be started', error));
    child.once('close', (code, signal) => fail(`ended (${signal ?? code}) before it was ready`));
  });
}

/** The JSON of a ready line, or undefined for any other line. */
export function readyLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{') || !line.includes('"ready":true')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

async function stopChild(child: ChildProcess, exited: Promise<void>, graceMs: number): Promise<void> {
  const overdue = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(overdue);
}
