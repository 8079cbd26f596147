import type { ProcessesPort } from '@everturn/tools/kit';

/** What is told of a program's output. */
const OUTPUT_BYTES = 16_384;
const GRACE_MS = 3_000;

export interface InstallerInput {
  processes: Pick<ProcessesPort, 'run'>;
  argv: readonly [program: string, ...args: string[]];
  /** What is done, for people: `npm ci`. */
  what: string;
  /** Where it works; also its home, so that nobody's settings count. */
  folder: string;
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  timeoutMs: number;
}

/** A program that fetches packages did not do what it was asked; `message` holds the end of what it said. */
export class InstallerError extends Error {
  override readonly name = 'InstallerError';
}

/** Runs npm or git, which get neither secrets nor anybody's settings, and answers what it wrote. Throws {@link InstallerError}. */
export async function runInstaller(input: InstallerInput): Promise<string> {
  const { processes, argv, what, folder, environment, signal, timeoutMs } = input;
  const [program] = argv;
  const running = processes.run({
    argv,
    cwd: folder,
    environment: { HOME: folder, NO_COLOR: '1', ...environment },
    signal,
    timeoutMs,
    graceMs: GRACE_MS,
    maxOutputBytes: { stdout: OUTPUT_BYTES, stderr: OUTPUT_BYTES },
    maxSpillBytes: 0,
    confine: 'nothing',
  });
  const outcome = await running.catch((cause: Error) => {
    if (signal.aborted) throw new InstallerError(`${program} was stopped`, { cause });
    throw new InstallerError(`bundles need ${program} on this machine; install it (${cause.message})`, { cause });
  });
  if (outcome.aborted) throw new InstallerError(`${program} was stopped`);
  if (outcome.timedOut) throw new InstallerError(`${what} was not done after ${timeoutMs} ms`);
  if (outcome.exitCode !== 0)
    throw new InstallerError(`${what} failed: ${(outcome.stderr.text || outcome.stdout.text).trim()}`);
  return outcome.stdout.text;
}
