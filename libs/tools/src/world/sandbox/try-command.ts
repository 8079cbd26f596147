import { execFile } from 'node:child_process';

export interface TryCommandInput {
  argv: readonly string[];
  /** A PATH value, and all of the environment. */
  searchPath: string;
  timeoutMs: number;
}

/** What came of a command that was really run; `reason` says why it did not work. */
export interface Tried {
  reason?: string;
  stdout: string;
  stderr: string;
}

/** Runs a command that needs nothing. Never throws. */
export function tryCommand({ argv, searchPath, timeoutMs }: TryCommandInput): Promise<Tried> {
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const options = { cwd: '/', env: { PATH: searchPath }, timeout: timeoutMs, killSignal: 'SIGKILL' as const };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve({ stdout, stderr });
      const said = stderr.trim().split('\n').at(-1);
      resolve({ stdout, stderr, reason: error.killed ? `it took more than ${timeoutMs}ms` : said || error.message });
    });
  });
}
