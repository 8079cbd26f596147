import { realpath, stat } from 'node:fs/promises';
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
    return searchScope(sessionCwd, target, stats?.isDirectory() ?? false);
  }

  async run({ args, cwd, signal, graceMs, maxStdoutBytes, maxStderrBytes }: RunRipgrepInput): Promise<ProcessOutcome> {
    this.#path ??= resolveRipgrep(); // once, and only when first needed: a missing binary fails calls, not the worker
    try {
      return await this.#processes.run({
        argv: [await this.#path, ...args],
        cwd,
        signal,
        graceMs,
        maxOutputBytes: { stdout: maxStdoutBytes, stderr: maxStderrBytes },
        maxSpillBytes: 0,
        stopOnOverflow: true,
      });
    } catch (cause) {
      if (cause instanceof AbortedBeforeSpawn) throw new ToolError('SEARCH_ABORTED', 'search aborted', { cause });
      throw new ToolError('SEARCH_FAILED', 'search failed', { cause });
    }
  }
}

async function resolveRipgrep(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep').catch((cause: unknown) => {
    throw new Error('the packaged ripgrep is missing; run npm ci without --omit=optional', { cause });
  });
  return rgPath;
}
