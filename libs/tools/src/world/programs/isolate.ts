import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import type {
  QuickJSSyncVariant,
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { bootstrap, type BootstrapSettings, type InsideStatus } from './inside/bootstrap.ts';
import { makeInspect } from './inside/inspect.ts';
import { makeSerializer } from './inside/serialize.ts';
import { eraseTypes } from './erase-types.ts';
import type { ProgramEnd, ProgramFailure } from '../../kit/index.ts';
import type { CallAnswer, IssuedCall, Program, ProgramState } from './program.ts';
import type { stillClock } from './still-clock.ts';

// Its types are those of its CommonJS form, whose default export is a member.
const engineVariant = variant as unknown as QuickJSSyncVariant;

/** The engine asks whether to go on after about so many instructions. */
const INSTRUCTIONS_PER_TICK = 10_000;
const STACK_BYTES = 512 * 1024;

export interface IsolateListener {
  onCall(call: IssuedCall): void;
  onLog(line: string): void;
}

/** One program in an engine of its own, which shares nothing with the process but the thread. */
export class Isolate {
  readonly #program: Program;
  readonly #listener: IsolateListener;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #engine: QuickJSWASMModule;
  #inside: QuickJSHandle | undefined;
  #end: ProgramEnd | undefined;
  #ticks = 0;
  #outputBytes = 0;

  private constructor(program: Program, listener: IsolateListener, engine: QuickJSWASMModule) {
    this.#program = program;
    this.#listener = listener;
    this.#engine = engine;
    const runtime = engine.newRuntime();
    this.#runtime = runtime;
    runtime.setMemoryLimit(program.limits.memoryBytes);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => this.#interrupt());
    this.#context = runtime.newContext();
  }

  /** Makes the engine and runs the program up to where it waits or ends. */
  static async open(
    program: Program,
    clock: ReturnType<typeof stillClock>,
    listener: IsolateListener,
  ): Promise<{ isolate: Isolate; state: ProgramState }> {
    const engine = await newQuickJSWASMModuleFromVariant(engineVariant);
    clock.show(program.seed);
    const isolate = new Isolate(program, listener, engine);
    clock.show(program.now);
    return { isolate, state: isolate.#slice(() => isolate.#begin()) };
  }

  /** Hands in answers one after another, each of which the program takes up before the next. */
  answer(answers: readonly CallAnswer[]): ProgramState {
    return this.#slice(() => {
      for (const answer of answers) {
        const json = answer.kind === 'value' ? answer.json : JSON.stringify(answer.message);
        this.#call('answer', this.#context.newNumber(answer.n), this.#text(answer.kind), this.#text(json));
        this.#drain();
        if (this.#end) return;
      }
    });
  }

  /** Bytes of memory its engine has taken; it gives none back before it is forgotten. */
  get heldBytes(): number {
    return this.#engine.getWasmMemory().buffer.byteLength;
  }

  #begin(): void {
    const { code, language } = this.#program;
    const erased = language === 'typescript' ? eraseTypes(code) : { kind: 'erased' as const, code };
    if (erased.kind === 'refused') return this.#fail('exception', erased.message);
    this.#inside = this.#setUp();
    this.#call('run', this.#text(JSON.stringify(erased.code)));
    this.#drain();
  }

  #setUp(): QuickJSHandle {
    const { name, functions, limits, prelude } = this.#program;
    const settings: BootstrapSettings = { name, functions, limits };
    const tell = this.#context.newFunction('tell', (kind, json) => {
      const told: unknown = JSON.parse(this.#context.getString(json));
      if (this.#context.getString(kind) === 'call') this.#listener.onCall(told as IssuedCall);
      else this.#print(told as string);
    });
    const start = this.#must(
      this.#context.evalCode(
        `(tell, settings) => (${String(bootstrap)})({ tell, settings, serializer: (${String(makeSerializer)})(),
          inspect: (${String(makeInspect)})(), ${prelude === undefined ? '' : `prelude: (${prelude})`} })`,
        'setup.js',
      ),
    );
    return this.#must(
      this.#context.callFunction(start, this.#context.undefined, tell, this.#text(JSON.stringify(settings))),
    );
  }

  /** Runs a piece of work and says where the program stands after it. */
  #slice(work: () => void): ProgramState {
    this.#ticks = 0;
    try {
      if (!this.#end) work();
      if (!this.#end) return this.#stand();
    } catch (error) {
      if (!(error instanceof InsideError)) throw error;
      this.#fail(error.failure, error.message);
    }
    return { kind: 'ended', end: this.#end as ProgramEnd };
  }

  #stand(): ProgramState {
    const answered = this.#call('status');
    const status = JSON.parse(this.#context.getString(answered)) as InsideStatus;
    answered.dispose();
    switch (status.kind) {
      case 'running':
        if (status.pending > 0) return { kind: 'waiting' };
        this.#fail('exception', 'the program waits for something that can never happen');
        break;
      case 'returned':
        this.#spend(status.json ?? '');
        this.#end ??= { kind: 'returned', ...(status.json !== undefined && { json: status.json }) };
        break;
      case 'unserializable':
        this.#fail('invalid-output', `the returned value must be lossless JSON: ${status.message}`);
        break;
      case 'threw':
        this.#spend(status.message);
        this.#fail(isOutOfMemory(status) ? 'worker-exit' : 'exception', this.#worded(status));
        break;
    }
    return { kind: 'ended', end: this.#end as ProgramEnd };
  }

  #worded(thrown: { name: string; message: string }): string {
    if (!isOutOfMemory(thrown)) return thrown.message;
    return `the program needed more than its ${this.#program.limits.memoryBytes} bytes of memory`;
  }

  #drain(): void {
    const { error } = this.#runtime.executePendingJobs();
    if (!error) return;
    const thrown = this.#context.dump(error) as { name?: string; message?: string };
    error.dispose();
    throw this.#insideError(thrown);
  }

  #call(method: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const inside = this.#inside as QuickJSHandle;
    using called = this.#context.getProp(inside, method);
    const result = this.#context.callFunction(called, inside, ...args);
    for (const arg of args) arg.dispose();
    return this.#must(result);
  }

  #must(result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
    if (!result.error) return result.value;
    const thrown = this.#context.dump(result.error) as { name?: string; message?: string };
    result.error.dispose();
    throw this.#insideError(thrown);
  }

  #insideError({ name = 'Error', message = 'unknown' }: { name?: string; message?: string }): InsideError {
    if (this.#end?.kind === 'failed') return new InsideError(this.#end.failure, this.#end.message);
    if (isOutOfMemory({ name, message })) return new InsideError('worker-exit', this.#worded({ name, message }));
    return new InsideError('exception', name === 'Error' ? message : `${name}: ${message}`);
  }

  #print(line: string): void {
    if (this.#end) return;
    this.#spend(`${line}\n`);
    if (!this.#end) this.#listener.onLog(line);
  }

  #spend(text: string): void {
    const { outputBytes } = this.#program.limits;
    this.#outputBytes += Buffer.byteLength(text);
    if (this.#outputBytes > outputBytes)
      this.#fail('output-limit', `the program printed and returned more than ${outputBytes} bytes`);
  }

  #interrupt(): boolean {
    this.#ticks += 1;
    if (this.#end) return true;
    const { instructions } = this.#program.limits;
    if (this.#ticks * INSTRUCTIONS_PER_TICK <= instructions) return false;
    this.#fail('timeout', `the program ran for more than ${instructions} instructions without waiting for anything`);
    return true;
  }

  #fail(failure: ProgramFailure, message: string): void {
    this.#end ??= { kind: 'failed', failure, message };
  }

  #text(value: string): QuickJSHandle {
    return this.#context.newString(value);
  }
}

/** The engine gave up inside our own code: memory, stack, or a body that is none. */
class InsideError extends Error {
  readonly failure: ProgramFailure;
  constructor(failure: ProgramFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

const isOutOfMemory = ({ name, message }: { name: string; message: string }): boolean =>
  name === 'InternalError' && message === 'out of memory';
