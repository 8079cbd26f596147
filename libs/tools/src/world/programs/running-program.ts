import { Worker } from 'node:worker_threads';
import type { ProgramFailure } from '../../kit/index.ts';
import type { CallAnswer, IssuedCall, Program, ProgramState } from './program.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** How long a program may take to come to rest, and who may stop it. */
export interface SliceInput {
  /** ms; the program is ended from outside when they are over. */
  budgetMs: number;
  /** What is said of a program that is ended so. */
  tooLong?: string;
  signal: AbortSignal;
}

/** What a thread that ran a larger program has taken is given back with the thread. */
const REUSABLE_BYTES = 64 * 1024 * 1024;

/** Starts a thread that can run programs; it has no environment. */
export function startThread(): Worker {
  const thread = new Worker(new URL('./isolate-thread.ts', import.meta.url), {
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdout: true,
    stderr: true,
  });
  // Whoever runs a program hears of its thread's end; that of an idle one is nobody's business.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}

/** A program on its thread, suspended whenever no slice of it runs. */
export class RunningProgram {
  /** What it has printed so far. */
  readonly logs: string[] = [];
  /** Every call it has made so far, in order. */
  readonly calls: IssuedCall[] = [];
  /** How many answers it was given. */
  answered = 0;
  readonly #thread: Worker;
  #state: ProgramState = { kind: 'waiting' };

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /** Runs a program on a thread up to where it waits or ends. */
  static async start(thread: Worker, program: Program, input: SliceInput): Promise<RunningProgram> {
    const running = new RunningProgram(thread);
    await running.#slice({ type: 'open', program }, input);
    return running;
  }

  get state(): ProgramState {
    return this.#state;
  }

  /** Hands in answers, in order, and runs on to where it waits or ends. */
  async answer(answers: readonly CallAnswer[], input: SliceInput): Promise<ProgramState> {
    if (this.#state.kind === 'waiting' && answers.length > 0) {
      this.answered += answers.length;
      await this.#slice({ type: 'answer', answers }, input);
    }
    return this.#state;
  }

  /** Frees the thread; answers it when it can run another program, nothing when it has ended. */
  async close(): Promise<Worker | undefined> {
    if (this.#thread.threadId === -1) return undefined;
    const heldBytes = await new Promise<number>((resolve) => {
      const done = (bytes: number) => {
        this.#thread.off('message', onMessage).off('exit', onExit).off('error', onExit);
        resolve(bytes);
      };
      const onMessage = (message: FromThread) => message.type === 'closed' && done(message.heldBytes);
      const onExit = () => done(Infinity);
      this.#thread.on('message', onMessage).on('exit', onExit).on('error', onExit);
      this.#send({ type: 'close' });
    });
    if (heldBytes <= REUSABLE_BYTES) return this.#thread;
    await this.#thread.terminate();
    return undefined;
  }

  async #slice(message: ToThread, { budgetMs, tooLong, signal }: SliceInput): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const ended = Promise.withResolvers<ProgramState>();
    const fail = (failure: ProgramFailure, told: string) =>
      ended.resolve({ kind: 'ended', end: { kind: 'failed', failure, message: told } });
    const onMessage = (told: FromThread) => {
      if (told.type === 'log') this.logs.push(told.text);
      if (told.type === 'call') this.calls.push(told.call);
      if (told.type === 'state') ended.resolve(told.state);
    };
    const onError = (error: Error) => fail('worker-exit', `the program's isolate broke down: ${error.message}`);
    const onExit = () => fail('worker-exit', "the program's isolate ended");
    const onAbort = () => fail('abort', 'the run was cancelled');
    this.#thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
    try {
      if (signal.aborted) onAbort();
      else if (this.#thread.threadId === -1) onExit();
      else {
        timer = setTimeout(() => fail('timeout', tooLong ?? `no answer within ${budgetMs}ms`), budgetMs);
        this.#send(message);
      }
      this.#state = await ended.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    }
    if (wasCutOff(this.#state)) await this.#thread.terminate();
  }

  #send(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    this.#thread.postMessage(message);
  }
}

/** Whether the thread may still be busy with it. */
function wasCutOff(state: ProgramState): boolean {
  if (state.kind !== 'ended' || state.end.kind !== 'failed') return false;
  return ['timeout', 'abort', 'worker-exit'].includes(state.end.failure);
}
