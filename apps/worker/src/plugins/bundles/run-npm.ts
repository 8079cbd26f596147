import { join } from 'node:path';
import type { ProcessesPort } from '@everturn/tools/kit';

/** What is told of npm's output. */
const OUTPUT_BYTES = 16_384;
const GRACE_MS = 3_000;

export interface NpmInput {
  processes: Pick<ProcessesPort, 'run'>;
  /** Where downloads are kept between installs. */
  cache: string;
  /** The package it works on; npm's settings of the user are not those of this folder. */
  folder: string;
  args: readonly string[];
  signal: AbortSignal;
  timeoutMs: number;
}

/** npm did not do what it was asked; `message` holds the end of what it said. */
export class NpmError extends Error {
  override readonly name = 'NpmError';
}

/** Runs npm, which gets neither secrets nor anybody's settings, and answers what it wrote. Throws {@link NpmError}. */
export async function runNpm(input: NpmInput): Promise<string> {
  const { processes, cache, folder, args, signal, timeoutMs } = input;
  const running = processes.run({
    argv: ['npm', ...args],
    cwd: folder,
    environment: {
      HOME: folder,
      NO_COLOR: '1',
      npm_config_cache: cache,
      npm_config_userconfig: join(folder, '.npmrc-none'),
      npm_config_globalconfig: join(folder, '.npmrc-none-either'),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
    signal,
    timeoutMs,
    graceMs: GRACE_MS,
    maxOutputBytes: { stdout: OUTPUT_BYTES, stderr: OUTPUT_BYTES },
    maxSpillBytes: 0,
    confine: 'nothing',
  });
  const outcome = await running.catch((cause: Error) => {
    if (signal.aborted) throw new NpmError('npm was stopped', { cause });
    throw new NpmError(`bundles need npm on this machine; install it beside Node.js (${cause.message})`, { cause });
  });
  if (outcome.aborted) throw new NpmError('npm was stopped');
  if (outcome.timedOut) throw new NpmError(`npm ${args[0]} was not done after ${timeoutMs} ms`);
  if (outcome.exitCode !== 0)
    throw new NpmError(`npm ${args[0]} failed: ${(outcome.stderr.text || outcome.stdout.text).trim()}`);
  return outcome.stdout.text;
}
