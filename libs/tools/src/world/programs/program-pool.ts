import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { Program } from './program.ts';
import { RunningProgram, startThread, type SliceInput } from './running-program.ts';

/** How long a suspended program is kept for its next answer before its thread is given to others. */
const KEPT_MS = 30_000;

/**
 * Threads on which programs run, one program a thread. A suspended program may be kept for its next answer; it is
 * dropped when others need its thread, since it can always run again from its beginning.
 */
export class ProgramPool {
  readonly #maxThreads: number;
  readonly #idle: Worker[] = [];
  readonly #kept = new Map<string, { running: RunningProgram; timer: NodeJS.Timeout }>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor({ maxThreads = Math.max(2, Math.min(8, availableParallelism())) }: { maxThreads?: number } = {}) {
    this.#maxThreads = maxThreads;
  }

  /** Starts a program as soon as there is a thread for it; throws the signal's reason when it is raised before. */
  async start(program: Program, input: SliceInput): Promise<RunningProgram> {
    await this.#enter(input.signal);
    try {
      return await RunningProgram.start(this.#idle.pop() ?? startThread(), program, input);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Keeps a suspended program under a key, in place of what an attempt that was given up may have kept there. */
  keep(key: string, running: RunningProgram): void {
    void this.#drop(key);
    const timer = setTimeout(() => void this.#drop(key), KEPT_MS).unref();
    this.#kept.set(key, { running, timer });
    if (this.#waiting.length > 0) void this.#drop(key);
  }

  /** The kept program of a key, which is the caller's again. */
  take(key: string): RunningProgram | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    clearTimeout(kept.timer);
    this.#kept.delete(key);
    return kept.running;
  }

  /** Gives a program's thread back. */
  async close(running: RunningProgram): Promise<void> {
    const thread = await running.close();
    if (thread) this.#idle.push(thread);
    this.#leave();
  }

  /** Ends every thread nobody is waiting for. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((key) => this.#drop(key)));
    await Promise.all(this.#idle.splice(0).map((thread) => thread.terminate()));
  }

  async #drop(key: string): Promise<void> {
    const running = this.take(key);
    if (running) await this.close(running);
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < this.#maxThreads) {
      this.#busy += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn.resolve);
    const onAbort = () => turn.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) void this.#drop(oldest);
    try {
      await turn.promise;
    } catch (error) {
      const place = this.#waiting.indexOf(turn.resolve);
      if (place >= 0) this.#waiting.splice(place, 1);
      else this.#leave(); // it was given a thread in the very moment
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Whoever waits longest takes over the place. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy -= 1;
  }
}
