import type { StdioOptions } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { spawnTied } from '../../process/spawn-tied.ts';
import { nodeEnvironment } from './node-child.ts';
import { workspaceRoot } from './paths.ts';

const entry = 'apps/cli/src/main.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the command line in this terminal and answers its exit status. Meanwhile a signal to end is the command line's
 * to answer: without us it would be ended before it has cancelled its turn.
 */
export async function runCli(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<number> {
  const child = start(args, environment, 'inherit');
  const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of stopSignals) process.on(signal, passOn);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    for (const signal of stopSignals) process.off(signal, passOn);
  }
}

/** Runs it and answers what it printed, or undefined when it failed, with the reason. */
export function askCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ printed: string } | { failed: string }> {
  const child = start(args, environment, ['ignore', 'pipe', 'pipe']);
  let printed = '';
  let complaint = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaint += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? { printed } : { failed: complaint.trim() || `exit ${code}` }));
  });
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>, stdio: StdioOptions) {
  const argv = [join(workspaceRoot, entry), ...args];
  return spawnTied(process.execPath, argv, { env: nodeEnvironment(environment), stdio }, 'TERM');
}
