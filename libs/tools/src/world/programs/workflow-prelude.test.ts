import { describe, expect, test } from 'vitest';
import { failed, LIMITS, program, returned, run, value } from '../../../test/programs.ts';
import { workflowPreludeSource, type CallAnswer, type WorkflowSetup } from './index.ts';

const script = (code: string, setup: Partial<WorkflowSetup> = {}) =>
  program(code, {
    language: 'javascript',
    functions: [],
    name: 'workflow',
    limits: { ...LIMITS, calls: 1_000, pendingCalls: 1_000 },
    prelude: workflowPreludeSource({ maxAgents: 3, maxItems: 4, ...setup }),
  });

/** Runs a script whose agents answer one after another. */
const runScript = (code: string, answers: CallAnswer[] = [], setup: Partial<WorkflowSetup> = {}) =>
  run(
    script(code, setup),
    answers.map((answer) => [answer]),
  );

const refused = (n: number, message: string): CallAnswer => ({ n, kind: 'error', message });

describe('agents', () => {
  test('say their last words, are labelled by the first line of their task, and belong to the phase that is on', async () => {
    const code = `
      const one = await agent('  first line, and more of it than a label can hold, surely\\nsecond');
      phase('later');
      return [one, await agent('b', { label: 'B' }), await agent('c', { phase: '', provider: 'p', model: 'm' })]`;
    const { end, calls, logs } = await runScript(code, [value(1, 'x'), value(2, 'y'), value(3, 'z')]);
    expect(end).toEqual(returned(['x', 'y', 'z']));
    expect(calls.map((call) => JSON.parse(call.replace(/^\d+ agent /, '')) as unknown)).toEqual([
      {
        prompt: '  first line, and more of it than a label can hold, surely\nsecond',
        label: 'first line, and more of it than a label can hol…',
      },
      { prompt: 'b', label: 'B', phase: 'later' },
      { prompt: 'c', label: 'c', phase: '', provider: 'p', model: 'm' },
    ]);
    expect(logs).toEqual(['\u0001later']);
  });

  test('are asked for data by a schema, and null is an agent that failed', async () => {
    const code =
      "return [await agent('a', { schema: { type: 'object', properties: {} } }), await agent('b', { label: undefined })]";
    const { end, calls } = await runScript(code, [value(1, { n: 1 }), value(2, null)]);
    expect(end).toEqual(returned([{ n: 1 }, null]));
    expect(calls[0]).toContain('"schema":{"type":"object","properties":{}}');
  });
});

const codeOf = (call: string) =>
  `try { ${call}; return 'no error' } catch (e) { return [e.code, e.fatal, e.name, e instanceof Error] }`;

describe('what the engine refuses', () => {
  test.each<[string, string]>([
    ["await agent('')", 'INVALID_ARGUMENT'],
    ['await agent(7)', 'INVALID_ARGUMENT'],
    ["await agent('p', 'no object')", 'INVALID_ARGUMENT'],
    ["await agent('p', { label: 7 })", 'INVALID_ARGUMENT'],
    ["await agent('p', { schema: () => 0 })", 'INVALID_ARGUMENT'],
    ["await agent('p', { effort: 'high' })", 'UNSUPPORTED_OPTION'],
    ["await agent('p', { isolation: 'x' })", 'UNSUPPORTED_OPTION'],
    ["await agent('p', { agentType: 'x' })", 'UNSUPPORTED_OPTION'],
    ["await agent('p', { other: 1 })", 'UNSUPPORTED_OPTION'],
    ["await agent('p', { [Symbol('x')]: 1 })", 'UNSUPPORTED_OPTION'],
    ["phase(' ')", 'INVALID_ARGUMENT'],
    ['log(7)', 'INVALID_ARGUMENT'],
    ['await parallel(7)', 'INVALID_ARGUMENT'],
    ['await parallel([7])', 'INVALID_ARGUMENT'],
    ['await parallel([, ])', 'INVALID_ARGUMENT'],
    ["await parallel([agent('a')])", 'INVALID_ARGUMENT'],
    ['await parallel([1, 2, 3, 4, 5].map(() => () => 0))', 'ITEM_CAP'],
    ['await pipeline([1])', 'INVALID_ARGUMENT'],
    ['await pipeline([1], 7)', 'INVALID_ARGUMENT'],
    ['await pipeline([1, 2, 3, 4, 5], () => 0)', 'ITEM_CAP'],
    // In a slot of a list it is the engine that speaks, too.
    ["await parallel([() => agent('')])", 'INVALID_ARGUMENT'],
    ["await pipeline([1], () => agent('p', { effort: 1 }))", 'UNSUPPORTED_OPTION'],
  ])('%s is %s, which a script may catch', async (call, code) => {
    expect((await runScript(codeOf(call))).end).toEqual(returned([code, true, 'WorkflowError', true]));
  });

  test('of 4,096 items every one goes through, of 4,097 none', async () => {
    const code = (items: number) =>
      `return (await pipeline(Array.from({ length: ${items} }, (_, n) => n), (n) => n)).length`;
    expect((await runScript(code(4_096), [], { maxItems: 4_096 })).end).toEqual(returned(4_096));
    const { end } = await runScript(code(4_097), [], { maxItems: 4_096 });
    expect(end).toEqual(failed('exception', expect.stringMatching(/^ITEM_CAP: /)));
  });

  test('uncaught it ends the run with its code', async () => {
    const { end } = await runScript("return await parallel([() => agent('p', { effort: 'high' })])");
    expect(end).toEqual(failed('exception', expect.stringMatching(/^UNSUPPORTED_OPTION: .*"effort" yet/)));
  });

  test.each<[string, string, unknown]>([
    ['AGENT_START: too deep', 'AGENT_START', 'AGENT_START: too deep'],
    ['the line is dead', 'AGENT_RESULT', 'AGENT_RESULT: the line is dead'],
  ])('an agent answered with "%s" is %s', async (message, code, shown) => {
    const caught = "try { await agent('a') } catch (e) { return [e.code, e.fatal, e.message] }";
    expect((await runScript(caught, [refused(1, message)])).end).toEqual(returned([code, true, shown]));
  });

  test('the agent after the last one is AGENT_CAP, counted before any has answered; the whole list rejects', async () => {
    const code = `
      const many = () => [1, 2, 3, 4].map((n) => () => agent('a' + n));
      try { return await parallel(many()) } catch (e) { return e.code }`;
    const { end, calls } = await runScript(code);
    expect({ end, calls: calls.length }).toEqual({ end: returned('AGENT_CAP'), calls: 3 });
  });
});

describe('lists', () => {
  test('a thunk that throws is null in its slot, others are not touched', async () => {
    const code = "return await parallel([() => { throw new Error('x') }, async () => { throw 1 }, () => 3])";
    expect((await runScript(code)).end).toEqual(returned([null, null, 3]));
  });

  test('items go through the stages on their own, with what came before, the item and its place', async () => {
    const code = `
      const seen = [];
      const out = await pipeline(['a', 'b', 'c'],
        async (value, item, index) => { if (item === 'b') throw new Error('x'); return agent(value + index) },
        (value, item, index) => { seen.push(item); return [value, item, index] });
      return { out, seen }`;
    const { end, calls } = await runScript(code, [value(2, 'C'), value(1, 'A')]);
    expect(calls.map((call) => (JSON.parse(call.slice(8)) as { prompt: string }).prompt)).toEqual(['a0', 'c2']);
    expect(end).toEqual(returned({ out: [['A', 'a', 0], null, ['C', 'c', 2]], seen: ['c', 'a'] }));
  });

  test('no barrier stands between stages', async () => {
    const code = "return await pipeline([1, 2], (n) => agent('one ' + n), (said) => agent('two ' + said))";
    const { calls } = await runScript(code, [value(1, 'x')]);
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['1', '2', '3']);
  });

  test('an error that a script made to look like one of the engine is its own', async () => {
    const forged =
      "Object.assign(new Error('AGENT_CAP: x'), { code: 'AGENT_CAP', fatal: true, name: 'WorkflowError' })";
    expect((await runScript(`return await parallel([() => { throw ${forged} }])`)).end).toEqual(returned([null]));
  });

  test('an error of the engine that a script dressed up stays one', async () => {
    const code = `
      const dress = async () => { try { await agent('') } catch (e) { try { e.fatal = false; e.code = 'x' } catch {} throw e } };
      return await parallel([dress])`;
    expect((await runScript(code)).end).toEqual(failed('exception', expect.stringContaining('INVALID_ARGUMENT')));
  });
});

describe('what a script returns and has', () => {
  test.each<[string, unknown]>([
    ['return', { kind: 'returned' }],
    ['const a = { x: 1 }; return [a, a]', returned([{ x: 1 }, { x: 1 }])],
    ['return JSON.parse(\'{"__proto__": 1}\')', { kind: 'returned', json: '{"__proto__":1}' }],
    ['const a = {}; a.a = a; return a', failed('invalid-output', expect.stringContaining('part of a cycle'))],
    ['return [1, , 2]', failed('invalid-output', expect.stringContaining('a hole'))],
    ['return [NaN]', failed('invalid-output', expect.stringContaining('not a finite number'))],
    ['return new Date(0)', failed('invalid-output', expect.stringContaining('not a plain object'))],
    ['return new Map()', failed('invalid-output', expect.stringContaining('not a plain object'))],
    ['return () => 0', failed('invalid-output', expect.stringContaining('function'))],
    ['return { a: undefined }', failed('invalid-output', expect.stringContaining('undefined'))],
    ['return (', failed('exception', expect.stringMatching(/^SyntaxError/))],
    ['const x: number = 1', failed('exception', expect.stringMatching(/^SyntaxError/))],
    ['return [typeof process, typeof require, typeof setTimeout, typeof fetch]', returned(Array(4).fill('undefined'))],
  ])('%s', async (code, end) => expect((await runScript(code)).end).toEqual(end));

  test('its arguments as they were given, or none', async () => {
    expect((await runScript('return args', [], { args: { a: [1] } })).end).toEqual(returned({ a: [1] }));
    expect((await runScript('return typeof args')).end).toEqual(returned('undefined'));
  });

  test('a loop before the first wait is ended from outside', async () => {
    const { end } = await run(script('while (true) {}'), [], 300);
    expect(end).toEqual(failed('timeout', expect.any(String)));
  });
});
