import type { HostFunction, ProgramLimits } from '../program.ts';
import type { Serializer } from './serialize.ts';

/** What the isolate is given; everything that crosses its border is text. */
export interface BootstrapInput {
  /** Tells of a call or of a line that was printed. */
  tell(kind: 'call' | 'log', json: string): void;
  serializer: Serializer;
  inspect(values: readonly unknown[]): string;
  /** JSON text of a `BootstrapSettings`. */
  settings: string;
  /** Compiled from the program's own prelude. */
  prelude?: (api: PreludeApi) => void;
}

export interface BootstrapSettings {
  name: string;
  functions: readonly HostFunction[];
  limits: Pick<ProgramLimits, 'calls' | 'pendingCalls'>;
}

/** What a prelude works with. Its source goes to the isolate as text, so it may use nothing from around it. */
export interface PreludeApi {
  /** Calls a host function; the promise is rejected with a `ToolCallError` when the call failed. */
  call(name: string, argument: unknown): Promise<unknown>;
  /** Makes a global that a program cannot replace. */
  define(name: string, value: unknown): void;
  serializer: Serializer;
}

/** What stays in the hands of the thread. */
export interface InsideProgram {
  /** Begins to run a body, given as JSON text; throws when it is none. */
  run(code: string): void;
  answer(n: number, kind: 'value' | 'error', json: string): void;
  /** JSON text of an `InsideStatus`. */
  status(): string;
}

export type InsideStatus =
  | { kind: 'running'; pending: number }
  | { kind: 'returned'; json?: string }
  | { kind: 'unserializable'; message: string }
  | { kind: 'threw'; name: string; message: string };

/** Runs inside an isolate before the program, under the rules of the serializer: what the program can reach is made here. */
// oxlint-disable-next-line eslint/max-lines-per-function -- one function is what travels
export function bootstrap({ tell, serializer, inspect, settings, prelude }: BootstrapInput): InsideProgram {
  const { parse, stringify } = JSON;
  const { create, freeze, defineProperty, hasOwn } = Object;
  const { serialize, describe } = serializer;
  const NewPromise = Promise;
  const ErrorClass = Error;
  const AsyncFunction = (async () => undefined).constructor as new (body: string) => () => Promise<unknown>;
  const { name: program, functions, limits } = parse(settings) as BootstrapSettings;

  class ToolCallError extends ErrorClass {
    readonly toolName: string;
    constructor(message: string, toolName: string) {
      super(message);
      defineProperty(this, 'name', { value: 'ToolCallError', configurable: true, writable: true });
      this.toolName = toolName;
    }
  }

  interface Waiting {
    name: string;
    resolve(value: unknown): void;
    reject(error: unknown): void;
  }
  const waiting = create(null) as Record<number, Waiting>;
  let pending = 0;
  let issued = 0;
  let over: string | undefined;
  let end: { kind: 'returned'; value: unknown } | { kind: 'threw'; name: string; message: string } | undefined;

  const refusalOf = (name: string): string | undefined => {
    if (over !== undefined) return `${program} run is over (${over}): ${name} was not called`;
    if (issued >= limits.calls)
      return `a run of ${program} may make at most ${limits.calls} calls: ${name} was not called`;
    if (pending >= limits.pendingCalls)
      return `at most ${limits.pendingCalls} calls may wait at once: ${name} was not called; await earlier ones first`;
    return undefined;
  };

  const call = (name: string, argument: unknown): Promise<unknown> =>
    new NewPromise((resolve, reject) => {
      const refusal = refusalOf(name);
      if (refusal !== undefined) return reject(new ToolCallError(refusal, name));
      let text: string;
      try {
        text = argument === undefined ? '{}' : serialize(argument, 'arguments');
      } catch (error) {
        return reject(new ToolCallError(`tool arguments must be lossless JSON: ${describe(error).message}`, name));
      }
      issued += 1;
      pending += 1;
      waiting[issued] = { name, resolve, reject };
      tell('call', `{"n":${issued},"name":${stringify(name)},"arguments":${stringify(text)}}`);
    });

  const define = (name: string, value: unknown): void => {
    if (hasOwn(globalThis, name)) throw new ErrorClass(`a program cannot be given "${name}": it has one already`);
    defineProperty(globalThis, name, { value, enumerable: true });
  };

  for (const key of ['WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics'])
    delete (globalThis as Record<string, unknown>)[key]; // they tell of time, or of memory
  const consoleMethods = create(null) as Record<string, unknown>;
  for (const level of ['log', 'info', 'warn', 'error', 'debug'])
    consoleMethods[level] = freeze((...values: unknown[]) => tell('log', stringify(inspect(values))));
  define('console', freeze(consoleMethods));
  define('ToolCallError', ToolCallError);
  freeze(ToolCallError.prototype);
  freeze(ToolCallError);

  const objects = create(null) as Record<string, Record<string, unknown>>;
  for (const { object, name } of functions) {
    const made = freeze((argument?: unknown) => call(name, argument));
    if (object === undefined) {
      define(name, made);
      continue;
    }
    const members = (objects[object] ??= create(null) as Record<string, unknown>);
    if (hasOwn(members, name)) throw new ErrorClass(`a program cannot be given "${object}.${name}" twice`);
    members[name] = made;
  }
  for (const object of Object.keys(objects)) define(object, freeze(objects[object]));
  prelude?.({ call, define, serializer });

  const drive = async (main: () => Promise<unknown>): Promise<void> => {
    try {
      const value = await main();
      over ??= 'completed';
      end = { kind: 'returned', value };
    } catch (error) {
      over ??= 'exception';
      const { name, message } = describe(error);
      end = { kind: 'threw', name, message };
    }
  };

  return {
    run(code) {
      void drive(new AsyncFunction(parse(code) as string));
    },
    answer(n, kind, json) {
      const asked = waiting[n];
      if (!asked) return;
      delete waiting[n];
      pending -= 1;
      if (kind === 'value') asked.resolve(parse(json));
      else asked.reject(new ToolCallError(parse(json) as string, asked.name));
    },
    status() {
      // Only texts are given to `stringify`: of objects it asks a `toJSON` that the program may have put there.
      if (!end) return `{"kind":"running","pending":${pending}}`;
      if (end.kind === 'threw')
        return `{"kind":"threw","name":${stringify(end.name)},"message":${stringify(end.message)}}`;
      if (end.value === undefined) return '{"kind":"returned"}';
      try {
        return `{"kind":"returned","json":${stringify(serialize(end.value, 'value'))}}`;
      } catch (error) {
        return `{"kind":"unserializable","message":${stringify(describe(error).message)}}`;
      }
    },
  };
}
