import type { Writable } from 'node:stream';
import {
  MAX_TIMER_MS,
  type BackgroundProcess,
  type ProcessesPort,
  type ProcessOutcome,
  type RunProcessInput,
  type SandboxPort,
  type StartProcessInput,
} from '../../kit/index.ts';
import { watchBackground } from './background-process.ts';
import { childEnvironment } from './child-environment.ts';
import { confinedBackground } from './confined-background.ts';
import { confinedOutcome } from './confined-outcome.ts';
import type { GroupRegistry } from './group-registry.ts';
import { OutputCollector } from './output-collector.ts';
import { OutputSpill } from './output-spill.ts';
import { ProcessGroup, type Termination } from './process-group.ts';
import { drainOutput, readOutput } from './read-output.ts';
import { startChild, type StartedChild } from './start-child.ts';

export interface LocalProcessesInput {
  registry: GroupRegistry;
  sandbox: SandboxPort;
  /** See `inheritedEnvironment`. */
  inherited: Readonly<Record<string, string>>;
  /** Private directory for long output; must exist. */
  outputFolder: string;
}

export type ConverseInput = Pick<RunProcessInput, 'argv' | 'cwd' | 'environment' | 'signal'>;

/** A program that is spoken to; it lives until it ends or is ended, at the latest with the world. */
export interface Conversation extends Pick<StartedChild, 'stdout' | 'stderr' | 'exited'> {
  stdin: Writable;
  /** SIGTERM to its group, SIGKILL after the grace; resolves when nothing of it runs. */
  end(graceMs: number): Promise<void>;
}

/** Processes of this machine, each the leader of a session and group of its own, without a terminal. */
export class LocalProcesses implements ProcessesPort {
  readonly #input: LocalProcessesInput;

  constructor(input: LocalProcessesInput) {
    this.#input = input;
  }

  async run(input: RunProcessInput): Promise<ProcessOutcome> {
    const { confine } = input;
    if (confine === undefined || confine === 'nothing') return this.#run(input);
    const confined = await this.#input.sandbox.wrap(confine, input.argv, input.cwd);
    try {
      const environment = { ...input.environment, ...confined.environment };
      const outcome = await this.#run({ ...input, argv: confined.argv, environment });
      return confinedOutcome(outcome, confine.mode, confined);
    } finally {
      void confined.release();
    }
  }

  async start(input: StartProcessInput): Promise<BackgroundProcess> {
    const { confine } = input;
    if (confine === undefined || confine === 'nothing') return this.#start(input);
    const confined = await this.#input.sandbox.wrap(confine, input.argv, input.cwd);
    try {
      const environment = { ...input.environment, ...confined.environment };
      return confinedBackground(
        await this.#start({ ...input, argv: confined.argv, environment }),
        confine.mode,
        confined,
      );
    } catch (error) {
      void confined.release();
      throw error;
    }
  }

  async #run(input: RunProcessInput): Promise<ProcessOutcome> {
    const { child, group } = await this.#begin(input);
    try {
      return await this.#watch(input, child, group);
    } finally {
      void this.#input.registry.sweep();
    }
  }

  async #start(input: StartProcessInput): Promise<BackgroundProcess> {
    const { child, group } = await this.#begin({ ...input, signal: new AbortController().signal });
    return watchBackground({ input, child, group, folder: this.#input.outputFolder });
  }

  async #begin(input: Omit<RunProcessInput, 'maxOutputBytes' | 'maxSpillBytes'>) {
    const { graceMs } = input;
    if (!(graceMs > 0 && graceMs <= MAX_TIMER_MS)) throw new RangeError(`graceMs must be in (0, ${MAX_TIMER_MS}]`);
    const { registry, inherited } = this.#input;
    const environment = childEnvironment(inherited, { ...input.environment, ...registry.marks(input.session) });
    const child = await startChild({ ...input, environment });
    const group = new ProcessGroup(child.pid);
    registry.add(group, input.session);
    return { child, group };
  }

  /** Starts a program that is spoken to over its standard streams until it ends or is ended. */
  async converse(input: ConverseInput): Promise<Conversation> {
    const { registry, inherited } = this.#input;
    const environment = childEnvironment(inherited, { ...input.environment, ...registry.marks(undefined) });
    const child = await startChild({ ...input, environment, keepStdin: true });
    const group = new ProcessGroup(child.pid);
    registry.add(group, undefined);
    void child.exited.then(() => registry.sweep());
    const { stdin, stdout, stderr, exited } = child;
    if (!stdin) throw new Error(`cannot speak to "${input.argv[0]}"`);
    return { stdin, stdout, stderr, exited, end: async (graceMs) => void (await group.terminate(graceMs)) };
  }

  async #watch(input: RunProcessInput, child: StartedChild, group: ProcessGroup): Promise<ProcessOutcome> {
    const { graceMs, signal } = input;
    let cause: 'timeout' | 'abort' | 'overflow' | undefined;
    const stuck = Promise.withResolvers<'left'>();
    const end = (why: NonNullable<typeof cause>) => {
      cause ??= why;
      void group.terminate(graceMs).then((how) => how === 'left' && stuck.resolve(how));
    };
    const untilGone = async (): Promise<Termination> => (cause === undefined ? 'gone' : group.terminate(graceMs));
    const onAbort = () => end('abort');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const timer = input.timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), input.timeoutMs);
    try {
      const stdout = this.#collector(input, 'stdout');
      const stderr = this.#collector(input, 'stderr');
      const stopIfFull = () => {
        if (input.stopOnOverflow && stdout.truncated) end('overflow');
      };
      const ended = Promise.all([readOutput(child.stdout, stdout, stopIfFull), readOutput(child.stderr, stderr)]);
      const exit = await Promise.race([child.exited, stuck.promise]);
      clearTimeout(timer);
      let how = exit === 'left' ? exit : await untilGone();
      await drainOutput({ child, ended, group, graceMs, signal });
      if (how === 'gone') how = await untilGone(); // a cancel that came while output was awaited
      return {
        exitCode: exit === 'left' ? null : exit.code,
        signal: exit === 'left' ? null : exit.signal,
        timedOut: cause === 'timeout',
        aborted: cause === 'abort',
        ...(how === 'left' && { unended: true }),
        stdout: await stdout.finish(),
        stderr: await stderr.finish(),
      };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #collector(input: RunProcessInput, stream: 'stdout' | 'stderr'): OutputCollector {
    const maxBytes = input.maxOutputBytes[stream];
    if (input.maxSpillBytes === 0) return new OutputCollector({ maxBytes });
    const folder = this.#input.outputFolder;
    return new OutputCollector({ maxBytes, spill: new OutputSpill({ folder, stream, maxBytes: input.maxSpillBytes }) });
  }
}
