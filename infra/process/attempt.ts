import { spawn } from 'node:child_process';

const LIMIT_MS = 5 * 60_000;

/** Runs a program to its end and answers what it printed; throws with the last line of what it complained of. */
export function attempt(command: string, args: readonly string[], cwd?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS, cwd, env: environment });
    let [printed, said] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk));
    child.once('error', (cause) => reject(new Error(`${command} cannot be run (${cause.message})`, { cause })));
    child.once('close', (code) => {
      const last = said.trim().split('\n').at(-1) || `exit ${code}`;
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} ${args.find((word) => !word.startsWith('-')) ?? ''}: ${last}`));
    });
  });
}
