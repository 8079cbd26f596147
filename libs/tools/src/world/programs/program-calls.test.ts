import { describe, expect, test } from 'vitest';
import { ToolSettings } from '../../kit/index.ts';
import { LIMITS, pool, program, returned, run, slice, value } from '../../../test/programs.ts';
import type { RunningProgram } from './index.ts';

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

  test('by default that is the 501st', async () => {
    const limits = { ...LIMITS, calls: ToolSettings.parse({}).program.maxCalls };
    const code = `
      for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 100 }, () => tools.read({})));
      return await tools.read({ last: true }).catch((e) => e.message)`;
    const rounds = Array.from({ length: 5 }, (_, round) =>
      Array.from({ length: 100 }, (_answer, n) => value(100 * round + n + 1, 'read')),
    );
    const { end, calls } = await run(program(code, { limits }), rounds);
    expect(calls).toHaveLength(500);
    expect(end).toEqual(returned('a run of run_code may make at most 500 calls: read was not called'));
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
