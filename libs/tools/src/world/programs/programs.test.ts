import { describe, expect, test } from 'vitest';
import { failed, LIMITS, pool, program, returned, run, slice, value } from '../../../test/programs.ts';

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
    expect((await run(program('console.log("begun"); for (;;) {}'), [], 1_000)).logs).toEqual(['begun']);
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

  test('an error that is longer than all may be is not told in part', async () => {
    expect((await run(program('throw new Error("x".repeat(200000))'))).end).toEqual(
      failed('output-limit', 'the program printed and returned more than 100000 bytes'),
    );
  });

  test('a cancel ends a loop', async () => {
    const cancel = new AbortController();
    const running = await pool.start(program('await tools.read({}); console.log("begun"); for (;;) {}'), slice());
    const looping = running.answer([value(1, 1)], slice(20_000, cancel.signal));
    await expect.poll(() => running.logs).toEqual(['begun']);
    cancel.abort();
    await looping;
    await pool.close(running);
    expect(running.state).toEqual({ kind: 'ended', end: failed('abort', 'the run was cancelled') });
  });

  test('a run that was cancelled before it began does not begin', async () => {
    await expect(
      pool.start(program('return 1'), slice(1_000, AbortSignal.abort(new Error('stopped')))),
    ).rejects.toThrow('stopped');
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
