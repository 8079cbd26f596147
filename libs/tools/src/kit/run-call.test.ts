import type { HookContext } from '@everturn/core/domain';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import { defineTool, implementTool, type ArgumentsOf, type ToolDefinition } from './define-tool.ts';
import { runBody, runCall } from './run-call.ts';
import type { ToolRunContext } from './tool-context.ts';
import { ToolError } from './tool-error.ts';
import type { ToolOutput } from './tool-result.ts';
import { ToolSettings } from './tool-settings.ts';

const definition = defineTool({
  name: 'probe',
  description: 'A tool of this test.',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      count: { type: 'number' },
      mode: { type: 'string', enum: ['a', 'b'] },
      list: { type: 'array', items: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] } },
      either: { oneOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['text', 'list'],
  },
  home: 'host',
  effect: 'idempotent',
});
type Body = (context: ToolRunContext) => Promise<ToolOutput>;
const said = (value: string): ToolOutput => ({ content: [{ type: 'text', text: value }] });
const failed = (message: string, error?: object) => ({
  content: [{ type: 'text', text: `Error: ${message}` }],
  isError: true,
  ...(error && { error }),
});
const aborted = failed('tool call aborted', { name: 'AbortError', code: 'ABORTED' });
const bodyOf = (body: Body, given: Partial<ToolDefinition> = {}) =>
  implementTool({ ...definition, ...given } as ToolDefinition, (_args, context) => body(context));
const args = { text: 'x', list: [] };

async function run(
  body: Body,
  given: Partial<ToolDefinition> = {},
  overrides: Partial<ToolRunContext> = {},
  argument: unknown = args,
) {
  const { context } = await openWorkspace();
  return runCall({ body: bodyOf(body, given), args: argument, context: context(overrides) });
}

test('the body gets the type of its schema', () => {
  expectTypeOf<ArgumentsOf<typeof definition.parameters>>().toEqualTypeOf<{
    text: string;
    list: { on: boolean }[];
    count?: number;
    mode?: 'a' | 'b';
    either?: string | null;
  }>();
  implementTool(definition, async ({ text, list }) => {
    expectTypeOf(text).toBeString();
    expectTypeOf(list).toEqualTypeOf<{ on: boolean }[]>();
    return said(text);
  });
  // @ts-expect-error there is no such argument
  implementTool(definition, async ({ other }) => said(other));
});

describe('arguments', () => {
  test.each<[string, unknown]>([
    ['too large a number', JSON.parse('{"offset":1e999}')],
    ['negative zero', { text: -0 }],
    ['undefined', { text: undefined }],
    ['a hole', { list: [, 1] }], // oxlint-disable-line no-sparse-arrays
    ['a date', { text: new Date(0) }],
  ])('%s fails before validation and body', async (_name, argument) => {
    let ran = false;
    const result = await run(
      async () => {
        ran = true;
        return said('');
      },
      {},
      {},
      argument,
    );
    expect(result.content).toMatchObject([
      { text: expect.stringContaining('tool execution arguments must be losslessly JSON-serializable') },
    ]);
    expect([result.isError, ran]).toEqual([true, false]);
  });

  test('undeclared ones reach the body, frozen', async () => {
    const { context } = await openWorkspace();
    let seen: unknown;
    const body = implementTool(definition, async (given) => {
      seen = given;
      return said('');
    });
    await runCall({ body, args: { ...args, extra: { deep: 1 } }, context: context() });
    expect(seen).toEqual({ ...args, extra: { deep: 1 } });
    expect(Object.isFrozen((seen as { extra: object }).extra)).toBe(true);
  });
});

describe('outcome', () => {
  test('a result is frozen, with what displays need and what the model shall be told', async () => {
    const added: HookContext = { content: [{ type: 'text', text: 'note' }], source: { kind: 'plugin', plugin: 'p' } };
    const result = await run(async (context) => {
      context.deferContext(added);
      return { ...said('done'), meta: { n: 1 }, value: { all: true } };
    });
    expect(result).toEqual({
      content: [{ type: 'text', text: 'done' }],
      isError: false,
      meta: { n: 1 },
      additionalContexts: [added],
    });
    expect(Object.isFrozen(result.content[0])).toBe(true);
  });

  test('a sub-call of a program gets data, no meta, no bounding', async () => {
    const { context } = await openWorkspace();
    const long = 'x'.repeat(60_000);
    const body = bodyOf(async () => ({ ...said(long), meta: 1, value: long }));
    const given = context();
    expect(await runCall({ body, args, context: { ...given, parent: given.callId } })).toEqual({
      ...said(long),
      isError: false,
      value: long,
    });
  });

  test('a plain error has a message alone, with its causes', async () => {
    const body: Body = async () => {
      throw new Error('fetch failed', {
        cause: Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' }),
      });
    };
    expect(await run(body)).toEqual(failed('fetch failed: connection refused'));
  });

  test('what is thrown may be anything', async () => {
    expect(await run(() => Promise.reject('text'))).toEqual(failed('text')); // oxlint-disable-line prefer-promise-reject-errors
    expect(await run(() => Promise.reject(undefined))).toEqual(failed('undefined')); // oxlint-disable-line prefer-promise-reject-errors
  });

  test('a structured error keeps its code, a foreign code is not believed', async () => {
    const structured = () => Promise.reject(new ToolError('FS_NOT_FOUND', 'gone'));
    expect(await run(structured)).toEqual(failed('gone', { name: 'FileError', code: 'FS_NOT_FOUND' }));
    const foreign = () => Promise.reject(Object.assign(new Error('gone'), { code: 'FS_NOT_FOUND' }));
    expect(await run(foreign)).toEqual(failed('gone'));
  });

  test('a value that breaks its own schema, though the effect happened', async () => {
    let effects = 0;
    const body: Body = async () => {
      effects += 1;
      return { ...said('ok'), value: { n: 'one' } };
    };
    const output = { type: 'object', properties: { n: { type: 'number' } } } as const;
    expect(await run(body, { output })).toEqual(
      failed('tool "probe" returned invalid output: "n" must be a number', {
        name: 'ToolOutputError',
        code: 'INVALID_TOOL_OUTPUT',
      }),
    );
    expect(effects).toBe(1);
  });

  test('a result that is no JSON', async () => {
    const result = await run(async () => ({ ...said('x'), meta: Number.NaN }));
    expect(result.content).toMatchObject([
      { text: expect.stringContaining('result must be losslessly JSON-serializable') },
    ]);
  });

  test('NUL and half a surrogate pair survive as JSON text', async () => {
    const result = await run(async () => said('a\0b\ud83d'));
    expect(JSON.parse(JSON.stringify(result))).toEqual({ ...said('a\0b\ud83d'), isError: false });
    expect(JSON.stringify(result).isWellFormed()).toBe(true);
  });
});

describe('cancel and deadline', () => {
  const onAbort = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

  test('cancelled before: the body does not run', async () => {
    expect(await run(() => Promise.reject(new Error('ran')), {}, { signal: AbortSignal.abort() })).toEqual(
      failed('tool call aborted before dispatch', { name: 'AbortError', code: 'ABORTED_BEFORE_DISPATCH' }),
    );
  });

  test('a success that comes after the cancel is replaced, its contexts stay', async () => {
    const controller = new AbortController();
    const added: HookContext = { content: [], source: { kind: 'plugin', plugin: 'p' } };
    const body: Body = async (context) => {
      context.deferContext(added);
      controller.abort();
      return { ...said('late'), meta: 1 };
    };
    expect(await run(body, {}, { signal: controller.signal })).toEqual({ ...aborted, additionalContexts: [added] });
  });

  test('an error of the tool that comes after the cancel stays', async () => {
    const controller = new AbortController();
    const body: Body = async () => {
      controller.abort();
      throw new ToolError('SEARCH_ABORTED', 'grep search aborted');
    };
    expect(await run(body, {}, { signal: controller.signal })).toEqual(
      failed('grep search aborted', { name: 'SearchError', code: 'SEARCH_ABORTED' }),
    );
  });

  const timedOut = failed('tool call timed out after 20ms', { name: 'ToolTimeoutError', code: 'TOOL_TIMEOUT' });

  test('the budget raises the signal and explains the outcome', async () => {
    const body: Body = async ({ signal }) => {
      await onAbort(signal);
      throw new Error('stopped');
    };
    expect(await run(body, { timeoutMs: 20 })).toEqual(timedOut);
  });

  test('budget first, cancel second: the budget is named', async () => {
    const controller = new AbortController();
    const body: Body = async ({ signal }) => {
      await onAbort(signal);
      controller.abort();
      return said('late');
    };
    expect(await run(body, { timeoutMs: 20 }, { signal: controller.signal })).toEqual(timedOut);
  });

  test('cancel first, budget second: the cancel is named', async () => {
    const controller = new AbortController();
    const body: Body = async ({ signal }) => {
      controller.abort();
      await onAbort(AbortSignal.timeout(40));
      expect(signal.aborted).toBe(true);
      return said('late');
    };
    expect(await run(body, { timeoutMs: 20 }, { signal: controller.signal })).toEqual(aborted);
  });

  test('a call is never left running', async () => {
    const order: string[] = [];
    const stopped = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const body: Body = async ({ signal }) => {
      await onAbort(signal);
      stopped.resolve();
      await gate.promise;
      order.push('body');
      return said('');
    };
    const running = run(body, { timeoutMs: 5 }).then(() => order.push('answer'));
    await stopped.promise;
    await nextTurn(); // an answer that did not wait for the body would be there
    gate.resolve();
    await running;
    expect(order).toEqual(['body', 'answer']);
  });
});

describe('bounding', () => {
  test('policies see the whole result, the log gets both its ends', async () => {
    const { context } = await openWorkspace();
    const input = { body: bodyOf(async () => said('x'.repeat(60_000))), args, context: context() };
    expect((await runBody(input)).content).toEqual(said('x'.repeat(60_000)).content);
    expect((await runCall(input)).content).toMatchObject([{ text: expect.stringContaining('(Omitted ') }]);
  });

  test('off where a deployment says so', () => {
    expect(ToolSettings.parse({}).maxInlineBytes).toBe(50_000);
    expect(ToolSettings.parse({ maxInlineBytes: 0 }).maxInlineBytes).toBe(0);
    expect(() => ToolSettings.parse({ maxInlineBytes: -1 })).toThrow('maxInlineBytes');
    expect(() => ToolSettings.parse({ maxInlineBytes: 1.5 })).toThrow('maxInlineBytes');
  });
});
