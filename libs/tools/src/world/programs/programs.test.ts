import { afterAll, describe, expect, test } from 'vitest';
import type { ProgramEnd } from '../../kit/index.ts';
import { ProgramPool, type CallAnswer, type Program, type RunningProgram } from './index.ts';

const pool = new ProgramPool({ maxThreads: 2 });
afterAll(() => pool.dispose());

const LIMITS = { memoryBytes: 8 << 20, instructions: 2e10, outputBytes: 100_000, calls: 500, pendingCalls: 128 };
const program = (code: string, changes: Partial<Program> = {}): Program => ({
  code,
  language: 'typescript',
  functions: ['read', 'toString'].map((name) => ({ object: 'tools', name })),
  seed: 7,
  now: Date.UTC(2026, 0, 2),
  limits: LIMITS,
  name: 'run_code',
  ...changes,
});
const slice = (budgetMs = 20_000, signal = new AbortController().signal) => ({ budgetMs, signal });

interface Ran {
  end: ProgramEnd | 'waiting';
  logs: string[];
  calls: string[];
}
/** Runs a program, answering in so many slices what is given. */
async function run(given: Program, answers: CallAnswer[][] = [], budgetMs?: number): Promise<Ran> {
  const running = await pool.start(given, slice(budgetMs));
  for (const some of answers) await running.answer(some, slice(budgetMs));
  const { state, logs, calls } = running;
  await pool.close(running);
  return {
    end: state.kind === 'waiting' ? 'waiting' : state.end,
    logs,
    calls: calls.map((call) => `${call.n} ${call.name} ${call.arguments}`),
  };
}
const returned = (value: unknown) => ({ kind: 'returned', json: JSON.stringify(value) });
const failed = (failure: string, message: unknown) => ({ kind: 'failed', failure, message });
const value = (n: number, json: unknown): CallAnswer => ({ n, kind: 'value', json: JSON.stringify(json) });

describe('what a program returns', () => {
  test.each<[string, string, unknown]>([
    ['a number', 'return 1+1', returned(2)],
    ['nothing', 'const a = 1', { kind: 'returned' }],
    ['undefined', 'return undefined', { kind: 'returned' }],
    ['types are erased', 'const a: number = 1 as any; interface B {}; return a satisfies number', returned(1)],
    ['NUL and half a character survive', 'return "a\\0\\ud800"', returned('a\0\ud800')],
    [
      'a member named __proto__',
      'return JSON.parse(\'{"__proto__":1}\')',
      { kind: 'returned', json: '{"__proto__":1}' },
    ],
    ['one object twice', 'const a = {b:1}; return [a,a]', returned([{ b: 1 }, { b: 1 }])],
    [
      'the clock stands still',
      'return [Date.now(), new Date().toISOString()]',
      returned([1767312000000, '2026-01-02T00:00:00.000Z']),
    ],
    ['no time zone', 'return new Date().getTimezoneOffset()', returned(0)],
    [
      'no world',
      'return [typeof process, typeof require, typeof fetch, typeof setTimeout, typeof performance]',
      returned(['undefined', 'undefined', 'undefined', 'undefined', 'undefined']),
    ],
    [
      'nothing that tells of memory',
      'return [typeof WeakRef, typeof FinalizationRegistry, typeof SharedArrayBuffer]',
      returned(['undefined', 'undefined', 'undefined']),
    ],
    ['no import', 'try { await import("node:fs"); return "imported" } catch { return "refused" }', returned('refused')],
  ])('%s', async (_name, code, end) => {
    expect((await run(program(code))).end).toEqual(end);
  });

  test.each<[string, string, string]>([
    ['a cycle', 'const a = {}; a.b = [a]; return a', 'value.b[0] is part of a cycle'],
    ['a getter, which is not called', 'return { get a() { throw 1 } }', 'value.a is an accessor'],
    ['not a number', 'return [NaN]', 'value[0] is not a finite number'],
    ['negative zero', 'return -0', 'value is negative zero'],
    ['undefined inside', 'return { a: undefined }', 'value.a is undefined'],
    ['a hole', 'return [1,,2]', 'value[1] is a hole'],
    ['a function', 'return () => 1', 'value is a function'],
    ['a bigint', 'return 1n', 'value is a bigint'],
    ['a date', 'return new Date()', 'value is not a plain object'],
    ['a map', 'return new Map()', 'value is not a plain object'],
    [
      'too deep',
      'let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a',
      expect.stringContaining('nested deeper than 1000 levels') as string,
    ],
  ])('%s is no lossless JSON', async (_name, code, why) => {
    const { end } = await run(program(code));
    expect(end).toMatchObject({ kind: 'failed', failure: 'invalid-output' });
    if (typeof why === 'string')
      expect(end).toEqual(failed('invalid-output', `the returned value must be lossless JSON: ${why}`));
  });
});

describe('how a program fails', () => {
  test.each<[string, string, unknown]>([
    ['an error', 'throw new TypeError("bad")', failed('exception', 'bad')],
    ['a string', 'throw "just text"', failed('exception', 'just text')],
    ['an object', 'throw {code: 3}', failed('exception', 'threw {"code":3}')],
    ['undefined', 'throw undefined', failed('exception', 'threw undefined')],
    ['a symbol', 'throw Symbol("s")', failed('exception', 'threw Symbol(s)')],
    [
      'an error that lies',
      'throw Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })',
      failed('exception', 'threw an object that cannot be shown'),
    ],
    ['syntax', 'return [1', failed('exception', expect.any(String))],
    ['leaving its function', '})(); (async()=>{', failed('exception', expect.any(String))],
    [
      'what erasing does not mend',
      'enum A { B }',
      failed('exception', 'TypeScript enum is not supported in strip-only mode'),
    ],
    ['endless recursion', 'const f = () => f() + 1; f()', failed('exception', 'stack overflow')],
    [
      'waiting for nothing',
      'await new Promise(() => {})',
      failed('exception', 'the program waits for something that can never happen'),
    ],
    [
      'a memory bomb',
      'const a = []; for (;;) a.push({ a })',
      failed('worker-exit', 'the program needed more than its 8388608 bytes of memory'),
    ],
  ])('%s', async (_name, code, end) => {
    expect((await run(program(code))).end).toEqual(end);
  });

  test.each([
    ['a loop', 'for (;;) {}'],
    ['a loop that catches everything', 'for (;;) { try { for (;;) {} } catch {} finally { continue } }'],
    ['a loop that waits', 'for (;;) await 0'],
    ['a loop in a trap of its result', 'return new Proxy({}, { ownKeys() { for (;;) {} } })'],
    ['a regular expression that backtracks', 'return /^(a+)+$/.test("a".repeat(40) + "b")'],
  ])('%s is ended from outside, and the next program runs', async (_name, code) => {
    const { end } = await run(program(`console.log("begun"); ${code}`), [], 300);
    expect(end).toEqual(failed('timeout', 'no answer within 300ms'));
    expect((await run(program('return 1'))).end).toEqual(returned(1));
  });

  test('instructions run out before the time does', async () => {
    const { end } = await run(program('for (;;) {}', { limits: { ...LIMITS, instructions: 1e7 } }));
    expect(end).toEqual(
      failed('timeout', 'the program ran for more than 10000000 instructions without waiting for anything'),
    );
  });

  test('what was printed before the end from outside is kept', async () => {
    expect((await run(program('console.log("begun"); for (;;) {}'), [], 300)).logs).toEqual(['begun']);
  });

  test('a log flood ends it with a bounded prefix', async () => {
    const { end, logs } = await run(program('for (let i = 0;; i++) console.log(i + "x".repeat(99))'));
    expect(end).toEqual(failed('output-limit', 'the program printed and returned more than 100000 bytes'));
    expect(logs[0]).toBe(`0${'x'.repeat(99)}`);
    expect(Buffer.byteLength(logs.join('\n'))).toBeLessThanOrEqual(100_000);
  });

  test('a result that is too large', async () => {
    expect((await run(program('return "x".repeat(200000)'))).end).toEqual(
      failed('output-limit', 'the program printed and returned more than 100000 bytes'),
    );
  });

  test('a cancel ends a loop', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 100);
    const running = await pool.start(program('for (;;) {}'), slice(20_000, cancel.signal));
    await pool.close(running);
    expect(running.state).toEqual({ kind: 'ended', end: failed('abort', 'the run was cancelled') });
  });

  test('a run that was cancelled before it began does not begin', async () => {
    await expect(
      pool.start(program('return 1'), slice(1_000, AbortSignal.abort(new Error('stopped')))),
    ).rejects.toThrow('stopped');
  });
});

describe('what a program calls', () => {
  test('it stops at its calls and goes on with their answers, in the order they come', async () => {
    const code =
      'const [a, b] = await Promise.all([tools.read({p:1}), tools.read({p:2})]); return [a, b, await tools.toString()]';
    const { end, calls } = await run(program(code), [[value(2, 'b')], [value(1, { deep: ['a'] })], [value(3, null)]]);
    expect(calls).toEqual(['1 read {"p":1}', '2 read {"p":2}', '3 toString {}']);
    expect(end).toEqual(returned([{ deep: ['a'] }, 'b', null]));
  });

  test('a failed call rejects with the name of the tool', async () => {
    const code =
      'try { await tools.read({}) } catch (e) { return [e instanceof ToolCallError, e instanceof Error, e.name, e.toolName, e.message] }';
    const { end } = await run(program(code), [[{ n: 1, kind: 'error', message: 'no such\nfile' }]]);
    expect(end).toEqual(returned([true, true, 'ToolCallError', 'read', 'no such\nfile']));
  });

  test.each<[string, string, string]>([
    ['undefined', '{a: undefined}', 'arguments.a is undefined'],
    ['a cycle', '(() => { const a = {}; a.a = a; return a })()', 'arguments.a is part of a cycle'],
    ['NaN', '[NaN]', 'arguments[0] is not a finite number'],
  ])('arguments with %s are refused without a call', async (_name, argument, why) => {
    const { end, calls } = await run(program(`try { await tools.read(${argument}) } catch (e) { return e.message }`));
    expect({ end, calls }).toEqual({ end: returned(`tool arguments must be lossless JSON: ${why}`), calls: [] });
  });

  test('the call after the last one it may make is refused', async () => {
    const limits = { ...LIMITS, calls: 2 };
    const code =
      'const r = []; for (let i = 0; i < 3; i++) r.push(await tools.read({i}).catch((e) => e.message)); return r';
    const { end } = await run(program(code, { limits }), [[value(1, 1)], [value(2, 2)]]);
    expect(end).toEqual(returned([1, 2, 'a run of run_code may make at most 2 calls: read was not called']));
  });

  test('too many at once are refused', async () => {
    const limits = { ...LIMITS, pendingCalls: 2 };
    const code = 'return (await Promise.allSettled([1,2,3].map((i) => tools.read({i})))).map((r) => r.status)';
    const { end } = await run(program(code, { limits }), [[value(1, 1)], [value(2, 2)]]);
    expect(end).toEqual(returned(['fulfilled', 'fulfilled', 'rejected']));
  });

  test('once the run is over nothing is called any more', async () => {
    const code =
      'tools.read({}).then(() => 0); (async () => { for (let i = 0; i < 50; i++) await 0; await tools.read({late: true}).catch((e) => console.log(e.message)) })(); return "early"';
    const { end, calls, logs } = await run(program(code));
    expect(end).toEqual(returned('early'));
    expect(calls).toEqual(['1 read {}']);
    expect(logs).toEqual(['run_code run is over (completed): read was not called']);
  });

  test('the same answers make the same run', async () => {
    const code = 'const a = await tools.read({r: Math.random()}); return [a, Math.random(), Date.now()]';
    const [one, two] = [await run(program(code), [[value(1, 1)]]), await run(program(code), [[value(1, 1)]])];
    expect(one).toEqual(two);
    expect((await run(program(code, { seed: 8 }), [[value(1, 1)]])).calls).not.toEqual(one.calls);
  });
});

describe('what a program cannot break', () => {
  test.each<[string, string]>([
    [
      'JSON, arrays and promises',
      'Object.prototype.toJSON = () => "forged"; Array.prototype[Symbol.iterator] = null; JSON.parse = JSON.stringify = null; Promise.prototype.then = null; Set.prototype.has = () => true;',
    ],
    [
      'the bindings',
      'try { tools.read = 1 } catch {} try { globalThis.tools = 1 } catch {} try { delete globalThis.tools } catch {} try { tools.read.call = null } catch {}',
    ],
    [
      'errors',
      'Error.prototype.message = "forged"; TypeError.prototype.name = 1; try { ToolCallError.prototype.x = 1 } catch {}',
    ],
    [
      'what objects look like',
      'Object.getPrototypeOf = () => null; Reflect.ownKeys = () => []; Object.hasOwn = () => false; Object.getOwnPropertyDescriptor = () => undefined;',
    ],
    ['functions', 'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => "forged";'],
  ])('%s', async (_name, tampering) => {
    const code = `${tampering} const r = await tools.read({ a: [1, { b: 'x' }] }); console.log(r); return { r, list: [1, 2] };`;
    const { end, calls, logs } = await run(program(code), [[value(1, { c: 3 })]]);
    expect(calls).toEqual(['1 read {"a":[1,{"b":"x"}]}']);
    expect(end).toEqual(returned({ r: { c: 3 }, list: [1, 2] }));
    expect(logs).toEqual(['{ c: 3 }']);
  });

  test('bindings stand on objects without a prototype', async () => {
    const code =
      'return [Object.getPrototypeOf(tools), Object.keys(tools), typeof tools.hasOwnProperty, Object.isFrozen(tools)]';
    expect((await run(program(code))).end).toEqual(returned([null, ['read', 'toString'], 'undefined', true]));
  });

  test.each([
    ['Promise', [{ name: 'Promise' }]],
    ['console', [{ name: 'console' }]],
    [
      'tools.read',
      [
        { object: 'tools', name: 'read' },
        { object: 'tools', name: 'read' },
      ],
    ],
  ])('a binding named %s is refused at setup', async (name, functions) => {
    const { end } = await run(program('return 1', { functions }));
    expect(end).toMatchObject({
      kind: 'failed',
      failure: 'exception',
      message: expect.stringContaining(`"${name}"`) as string,
    });
  });
});

test('the console shows values as far as they can be shown', async () => {
  const code = `console.log('a', 1, null, undefined, -0, 2n, [1, 'b'], { 'x y': { z: [{}] } });
    console.error(new RangeError('far'), new Map([[1, 'a']]), new Set([1]), new Date(0), () => 1, Symbol('s'));
    const cycle = { self: null }; cycle.self = cycle; console.info(cycle, { get a() { throw 1 } });
    console.warn('x'.repeat(10001).length, 'y'.repeat(10003)); console.debug(Array.from({ length: 102 }, () => 0));
    console.log({ a: { b: { c: { d: { e: 1 } } } } }, new Proxy({}, { ownKeys() { throw 1 } }));`;
  expect((await run(program(code))).logs).toEqual([
    'a 1 null undefined -0 2n [ 1, "b" ] { "x y": { z: [ {} ] } }',
    '[RangeError: far] Map { 1 => "a" } Set { 1 } 1970-01-01T00:00:00.000Z [function] [symbol]',
    '{ self: [circular] } { a: [getter] }',
    `10001 ${'y'.repeat(10_000)}… 3 more characters`,
    `[ ${'0, '.repeat(99)}0, … 2 more items ]`,
    '{ a: { b: { c: { d: [object] } } } } [not shown]',
  ]);
});

test('a prelude gives globals of its own', async () => {
  const prelude = '({ define, call }) => define("twice", async (x) => [await call("read", { x }), x * 2])';
  const { end } = await run(program('return twice(4)', { prelude }), [[value(1, 'one')]]);
  expect(end).toEqual(returned(['one', 8]));
});

test('a kept program goes on where it was, and gives way to others', async () => {
  const running = await pool.start(program('return [await tools.read({}), await tools.read({})]'), slice());
  pool.keep('a', running);
  expect(pool.take('b')).toBeUndefined();
  const again = pool.take('a') as RunningProgram;
  await again.answer([value(1, 1)], slice());
  expect(again.calls.length).toBe(2);
  pool.keep('a', again);
  const others = await Promise.all([1, 2].map((n) => pool.start(program(`return ${n}`), slice())));
  expect(others.map(({ state }) => state)).toEqual([1, 2].map((n) => ({ kind: 'ended', end: returned(n) })));
  expect(pool.take('a')).toBeUndefined();
  await Promise.all(others.map((other) => pool.close(other)));
});
