import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { nodeEnvironment } from './node-environment.ts';
import { TestingError } from './testing-error.ts';
import { workspaceRoot } from './workspace-root.ts';

/** Runs an entry file to its end and returns its stdout; a non-zero exit is an error that carries its output. */
export function runScript(
  entry: string,
  env: Record<string, string | undefined> = {},
  args: readonly string[] = [],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(workspaceRoot, entry), ...args], {
      cwd: workspaceRoot,
      env: { ...process.env, ...nodeEnvironment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else
        reject(
          new TestingError(
            'TESTING_PROCESS_FAILED',
            `${entry} ended with ${code}`,
            `its output was:\n${stdout}${stderr}`,
          ),
        );
    });
  });
}
