import type { PreludeApi } from './bootstrap.ts';

/** What a script of agents is given besides its code. */
export interface WorkflowSetup {
  args?: unknown;
  maxAgents: number;
  maxItems: number;
}

/**
 * Runs inside an isolate, under the rules of the serializer: defines what a script of agents works with. Errors of this
 * engine are known by themselves, not by their class or members, so a script can neither make one nor hide one.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- one function is what travels
export function workflowPrelude({ call, define, serializer }: PreludeApi, setup: string): void {
  const { parse } = JSON;
  const { isArray } = Array;
  const { ownKeys } = Reflect;
  const ErrorClass = Error;
  const all = Promise.all.bind(Promise);
  const apply = Function.prototype.call;
  const add = apply.bind(WeakSet.prototype.add) as (set: WeakSet<object>, value: object) => void;
  const has = apply.bind(WeakSet.prototype.has) as (set: WeakSet<object>, value: object) => boolean;
  const find = apply.bind(RegExp.prototype.exec) as (pattern: RegExp, text: string) => string[] | null;
  const cut = apply.bind(String.prototype.slice) as (text: string, from: number, to: number) => string;
  const codeAt = apply.bind(String.prototype.charCodeAt) as (text: string, at: number) => number;
  const trim = apply.bind(String.prototype.trim) as (text: string) => string;
  const { log: print } = console;
  const { defineProperty } = Object;
  const { args, maxAgents, maxItems } = parse(setup) as WorkflowSetup;
  const fatals = new WeakSet<object>();
  let phaseNow: string | undefined;
  let started = 0;

  const fatal = (code: string, why: string): Error => {
    const error = new ErrorClass(`${code}: ${why}`);
    defineProperty(error, 'name', { value: 'WorkflowError' });
    defineProperty(error, 'code', { value: code, enumerable: true });
    defineProperty(error, 'fatal', { value: true, enumerable: true });
    add(fatals, error);
    return error;
  };
  const isFatal = (error: unknown): boolean => typeof error === 'object' && error !== null && has(fatals, error);
  const isText = (value: unknown): value is string => typeof value === 'string' && trim(value) !== '';

  const readOptions = (given: unknown): Record<string, unknown> => {
    if (given === undefined) return {};
    if (typeof given !== 'object' || given === null || isArray(given))
      throw fatal('INVALID_ARGUMENT', 'the options of agent() are an object');
    const keys = ownKeys(given);
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index];
      if (key === 'effort' || key === 'isolation' || key === 'agentType')
        throw fatal('UNSUPPORTED_OPTION', `agent() does not take "${key}" yet; leave it out`);
      if (typeof key !== 'string' || !find(/^(label|phase|schema|provider|model)$/, key))
        throw fatal('UNSUPPORTED_OPTION', `agent() has no option "${typeof key === 'string' ? key : 'symbol'}"`);
      const value = (given as Record<string, unknown>)[key];
      if (value === undefined || key === 'schema') continue;
      if (typeof value !== 'string') throw fatal('INVALID_ARGUMENT', `option "${key}" of agent() is a text`);
      if (key !== 'phase' && !isText(value))
        throw fatal('INVALID_ARGUMENT', `option "${key}" of agent() says something`);
    }
    return given as Record<string, unknown>;
  };

  const firstLine = (prompt: string): string => {
    const line = (find(/^[^\n]*/, trim(prompt)) ?? [''])[0] ?? '';
    if (line.length <= 48) return line;
    const half = codeAt(line, 46) >= 0xd800 && codeAt(line, 46) <= 0xdbff;
    return `${cut(line, 0, half ? 46 : 47)}…`;
  };

  const agent = async (prompt: unknown, options?: unknown): Promise<unknown> => {
    if (!isText(prompt)) throw fatal('INVALID_ARGUMENT', 'agent() takes a prompt that says something');
    const { label, phase = phaseNow, schema, provider, model } = readOptions(options);
    if (started >= maxAgents) throw fatal('AGENT_CAP', `a run may start at most ${maxAgents} agents`);
    started += 1;
    let asked: Record<string, unknown>;
    try {
      asked = parse(serializer.serialize({ prompt, label: label ?? firstLine(prompt) }, 'agent')) as Record<
        string,
        unknown
      >;
      if (phase !== undefined) asked['phase'] = phase;
      if (schema !== undefined) asked['schema'] = parse(serializer.serialize(schema, 'schema'));
      if (provider !== undefined) asked['provider'] = provider;
      if (model !== undefined) asked['model'] = model;
    } catch (error) {
      throw fatal('INVALID_ARGUMENT', serializer.describe(error).message);
    }
    try {
      return await call('agent', asked);
    } catch (error) {
      const { message } = serializer.describe(error);
      const told = find(/^([A-Z_]+): ([^]*)$/, message);
      throw told ? fatal(told[1] ?? '', told[2] ?? '') : fatal('AGENT_RESULT', message);
    }
  };

  const requireList = (value: unknown, what: string): unknown[] => {
    if (!isArray(value)) throw fatal('INVALID_ARGUMENT', `${what} takes a list`);
    if (value.length > maxItems)
      throw fatal('ITEM_CAP', `${what} takes at most ${maxItems} items, not ${value.length}`);
    return value as unknown[];
  };
  const requireFunction = (value: unknown, what: string): ((...args: unknown[]) => unknown) => {
    if (typeof value !== 'function') throw fatal('INVALID_ARGUMENT', `${what} is a function`);
    return value as (...args: unknown[]) => unknown;
  };
  /** Null for what a script itself got wrong; what this engine says goes through. */
  const orNull = async (work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      if (isFatal(error)) throw error;
      return null;
    }
  };

  const parallel = async (thunks: unknown): Promise<unknown> => {
    const list = requireList(thunks, 'parallel()');
    const work: (() => unknown)[] = [];
    for (let index = 0; index < list.length; index += 1)
      work[index] = requireFunction(list[index], `item ${index} of parallel()`);
    const running: Promise<unknown>[] = [];
    for (let index = 0; index < work.length; index += 1)
      running[index] = orNull(async () => (work[index] as () => unknown)());
    return all(running);
  };

  const pipeline = async (items: unknown, ...stages: unknown[]): Promise<unknown> => {
    const list = requireList(items, 'pipeline()');
    if (stages.length === 0) throw fatal('INVALID_ARGUMENT', 'pipeline() takes at least one stage');
    const steps: ((...args: unknown[]) => unknown)[] = [];
    for (let index = 0; index < stages.length; index += 1)
      steps[index] = requireFunction(stages[index], `stage ${index + 1} of pipeline()`);
    const running: Promise<unknown>[] = [];
    for (let index = 0; index < list.length; index += 1)
      running[index] = orNull(async () => {
        let value = list[index];
        for (let step = 0; step < steps.length; step += 1)
          value = await (steps[step] as (...args: unknown[]) => unknown)(value, list[index], index);
        return value;
      });
    return all(running);
  };

  define('agent', agent);
  define('parallel', parallel);
  define('pipeline', pipeline);
  define('phase', (title: unknown) => {
    if (!isText(title)) throw fatal('INVALID_ARGUMENT', 'phase() takes a title that says something');
    phaseNow = title;
    print(`\u0001${title}`);
  });
  define('log', (message: unknown) => {
    if (typeof message !== 'string') throw fatal('INVALID_ARGUMENT', 'log() takes a text');
    print(message);
  });
  define('args', args);
}

/** The prelude of one run, as source. */
export const workflowPreludeSource = (setup: WorkflowSetup): string =>
  `(api) => (${String(workflowPrelude)})(api, ${JSON.stringify(JSON.stringify(setup))})`;
