import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_TIMER_MS, type ProcessesPort, type ProcessOutcome, type RunProcessInput } from '../../kit/index.ts';
import { childEnvironment } from './child-environment.ts';
import { findExecutable } from './find-executable.ts';
import { OWNER_VARIABLE, type GroupRegistry } from './group-registry.ts';
import { OutputCollector } from './output-collector.ts';
import { OutputSpill } from './output-spill.ts';
import { ProcessGroup } from './process-group.ts';

/**
 * How long output is awaited after the program itself has ended, at most its grace. What still holds the
 * pipe then was put into the background: it runs on until its session or the worker ends, unheard.
 */
const DRAIN_MS = 1_000;

export interface LocalProcessesInput {
  registry: GroupRegistry;
  /** See `inheritedEnvironment`. */
  inherited: Readonly<Record<string, string>>;
  /** Private directory for long output; must exist. */
  outputFolder: string;
}

/** Processes of this machine, each the leader of a session and group of its own, without a terminal. */
export class LocalProcesses implements ProcessesPort {
  readonly #input: LocalProcessesInput;

  constructor(input: LocalProcessesInput) {
    this.#input = input;
  }

  async run(input: RunProcessInput): Promise<ProcessOutcome> {
    const { graceMs, signal, timeoutMs } = input;
    if (!(graceMs > 0 && graceMs <= MAX_TIMER_MS)) throw new RangeError(`graceMs must be in (0, ${MAX_TIMER_MS}]`);
    const child = await this.#start(input);
    const group = new ProcessGroup(child.pid!);
    this.#input.registry.add(group, input.session);

    let cause: 'timeout' | 'abort' | undefined;
    const end = (why?: 'timeout' | 'abort') => {
      cause ??= why;
      void group.terminate(graceMs);
    };
    const onAbort = () => end('abort');
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const stdout = this.#collector(input, 'stdout');
      const stderr = this.#collector(input, 'stderr');
      const drained = Promise.all([
        collect(child.stdout!, stdout, () => input.stopOnOverflow && stdout.truncated && end()),
        collect(child.stderr!, stderr),
      ]);
      feed(child, input.stdin);
      const { code, signal: endedBy } = await exitOf(child);
      clearTimeout(timer);
      if (cause !== undefined || input.stopOnOverflow) await group.terminate(graceMs);
      await drain({ child, drained, group, graceMs, signal });
      if (cause !== undefined) await group.terminate(graceMs); // a cancel that came while output was awaited
      return {
        exitCode: code,
        signal: endedBy,
        timedOut: cause === 'timeout',
        aborted: cause === 'abort',
        stdout: await stdout.finish(),
        stderr: await stderr.finish(),
      };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      void this.#input.registry.sweep();
    }
  }

  async #start(input: RunProcessInput): Promise<ChildProcess> {
    const { argv, cwd, signal, stdin } = input;
    if (argv.length === 0 || !argv[0]) throw new Error('cannot start a process: the program is empty');
    const env = childEnvironment(this.#input.inherited, {
      ...input.environment,
      [OWNER_VARIABLE]: this.#input.registry.owner,
    });
    const program = await findExecutable(argv[0], env['PATH']);
    if (signal.aborted) throw new Error(`aborted before spawn: ${String(signal.reason?.message ?? signal.reason)}`);
    const child = spawn(program, argv.slice(1), {
      cwd,
      env,
      argv0: argv[0],
      detached: true, // a new session: no terminal to read from, and one number to end all of it
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const failed = new Promise<Error>((resolve) => child.once('error', resolve));
    if (child.pid !== undefined) return child;
    const error = await failed;
    throw await explainSpawnError(argv[0], cwd, error);
  }

  #collector(input: RunProcessInput, stream: 'stdout' | 'stderr'): OutputCollector {
    const maxBytes = input.maxOutputBytes[stream];
    if (input.maxSpillBytes === 0) return new OutputCollector({ maxBytes });
    const folder = this.#input.outputFolder;
    return new OutputCollector({ maxBytes, spill: new OutputSpill({ folder, stream, maxBytes: input.maxSpillBytes }) });
  }
}

async function explainSpawnError(program: string, cwd: string, error: Error): Promise<Error> {
  const folder = await stat(cwd).catch((cause: NodeJS.ErrnoException) => cause.code ?? 'unreadable');
  if (typeof folder === 'string')
    return new Error(`cannot start "${program}": working directory "${cwd}" cannot be used (${folder})`);
  if (!folder.isDirectory()) return new Error(`cannot start "${program}": "${cwd}" is not a directory`);
  return new Error(`cannot start "${program}"`, { cause: error });
}

/** Reads a stream to its end; back-pressure keeps a fast writer from filling memory. */
async function collect(stream: Readable, collector: OutputCollector, afterChunk?: () => unknown): Promise<void> {
  try {
    for await (const chunk of stream) {
      await collector.push(chunk as Buffer);
      afterChunk?.();
    }
  } catch {
    // a pipe torn down under the reader ends the output, which is what its end would have done
  }
}

function feed(child: ChildProcess, stdin: string | undefined): void {
  child.stdin?.on('error', () => undefined); // a program that does not read its input is no failure
  child.stdin?.end(stdin);
}

const exitOf = (child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });

interface DrainInput {
  child: ChildProcess;
  drained: Promise<unknown>;
  group: ProcessGroup;
  graceMs: number;
  signal: AbortSignal;
}

/** Waits for the end of the output, but not for a background process that holds the pipe. */
async function drain({ child, drained, group, graceMs, signal }: DrainInput): Promise<void> {
  if (await endsWithin(drained, Math.min(DRAIN_MS, graceMs), signal)) return;
  // Nobody of the group is left, so the end is there and this process was merely too busy to read it.
  if (!(await group.isAlive()) && (await endsWithin(drained, graceMs, signal))) return;
  for (const pipe of [child.stdout, child.stderr]) (pipe as Socket | null)?.unref();
}

async function endsWithin(drained: Promise<unknown>, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const stop = new AbortController();
  const limit = sleep(limitMs, false, { signal: AbortSignal.any([stop.signal, signal]) }).catch(() => false);
  const ended = await Promise.race([drained.then(() => true), limit]);
  stop.abort();
  return ended;
}
