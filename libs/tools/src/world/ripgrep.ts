import { realpath, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  AbortedBeforeSpawn,
  searchScope,
  ToolError,
  type ProcessesPort,
  type ProcessOutcome,
  type RunRipgrepInput,
  type SearchPort,
  type SearchScope,
} from '../kit/index.ts';

/** Runs the ripgrep that comes with our dependencies; a machine needs none of its own. */
export class Ripgrep implements SearchPort {
  readonly #processes: ProcessesPort;
  #path: Promise<string> | undefined;

  constructor(processes: ProcessesPort) {
    this.#processes = processes;
  }

  async scope({ path, cwd }: { path?: string; cwd: string }): Promise<SearchScope> {
    // Ripgrep asks the system where it is and hears the real path, so a linked one would not match its globs.
    const sessionCwd = await realpath(cwd).catch(() => cwd);
    const target = path === undefined ? sessionCwd : resolve(sessionCwd, path);
    const stats = await stat(target).catch(() => undefined);
    if (await tellsOfProcesses(target))
      throw new ToolError(
        'SEARCH_FAILED',
        `"${target}" is what the system tells of its processes, and their environments hold keys; it is not searched`,
      );
    return searchScope(sessionCwd, target, stats?.isDirectory() ?? false);
  }

  async run(input: RunRipgrepInput): Promise<ProcessOutcome> {
    const { args, cwd, signal, graceMs, maxStdoutBytes, maxStderrBytes, confine } = input;
    this.#path ??= resolveRipgrep(); // once, and only when first needed: a missing binary fails calls, not the worker
    try {
      return await this.#processes.run({
        argv: [await this.#path, ...(cwd === '/' ? withoutProcesses(args) : args)],
        cwd,
        signal,
        graceMs,
        maxOutputBytes: { stdout: maxStdoutBytes, stderr: maxStderrBytes },
        maxSpillBytes: 0,
        stopOnOverflow: true,
        ...(confine && { confine }),
      });
    } catch (cause) {
      if (cause instanceof AbortedBeforeSpawn) throw new ToolError('SEARCH_ABORTED', 'search aborted', { cause });
      throw new ToolError('SEARCH_FAILED', 'search failed', { cause });
    }
  }
}

const PROCFS = 0x9fa0;

/** Whether a path, links followed, leads to the kernel's files about processes: `environ` shows what each was started with. */
async function tellsOfProcesses(target: string): Promise<boolean> {
  const system = await statfs(target).catch(() => undefined);
  return process.platform === 'linux' && system?.type === PROCFS;
}

/** The last glob that matches decides, so this one stands behind all others. */
const withoutProcesses = (args: readonly string[]): string[] => args.toSpliced(args.indexOf('--'), 0, '--glob=!/proc');

async function resolveRipgrep(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep').catch((cause: unknown) => {
    throw new Error('the packaged ripgrep is missing; run npm ci without --omit=optional', { cause });
  });
  return rgPath;
}
