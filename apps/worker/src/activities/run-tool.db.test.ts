import { describe, expect, test } from 'vitest';
import { text } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import type { RunToolInput } from '../contract/index.ts';
import type { Listener, RegisteredTool } from '../plugins/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { runToolActivity } from './run-tool.ts';
import { callIn, counting, failedWith, ran } from './testing/counting-tool.ts';
import { model, projection } from './testing/servers.ts';
import { apiOf, attempt, testProcess, type TestProcessInput } from './testing/test-process.ts';
import { logOf } from './testing/test-turn.ts';

const process = (tool: RegisteredTool, more: Partial<TestProcessInput> = {}): Promise<ActivityDeps> =>
  testProcess({ projection, model, tools: [tool], ...more });

describe('a granted call', () => {
  test('runs, and its outcome is in the result and not in the log', async () => {
    const { tool, runs } = counting('at-most-once');
    const deps = await process(tool);
    const input = await callIn(deps, 'at-most-once');
    const result = await attempt(runToolActivity(deps), input).result;
    expect(result).toEqual({ acks: [], outcome: ran, registry: deps.registry.version(input) });
    expect(runs).toEqual([`acme/${input.session}/t1.s1.c0`]);
    expect(await logOf({ projection, ref: input, row: async () => undefined })).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'request/header',
    ]);
  });

  test.each([
    ['bad arguments', '{"word":7}', 'INVALID_ARGS'],
    ['arguments that are no JSON', 'nonsense', 'INVALID_ARGS'],
  ])('with %s is a failed call, not a failed activity', async (_what, args, code) => {
    const { tool, runs } = counting('at-most-once');
    const deps = await process(tool);
    const { outcome } = await attempt(runToolActivity(deps), await callIn(deps, 'at-most-once', args)).result;
    expect(outcome).toMatchObject(failedWith(code));
    expect(runs).toEqual([]);
  });

  test('with a result over 32 KiB answers a reference', async () => {
    const { tool } = counting('idempotent', async () => 'x'.repeat(40_000));
    const deps = await process(tool);
    const input = await callIn(deps, 'idempotent');
    const { outcome } = await attempt(runToolActivity(deps), input).result;
    expect(outcome).toEqual({ content: { $blob: expect.any(String), bytes: expect.any(Number) }, isError: false });
    expect(await deps.values.resolve(input.tenant, outcome.content)).toEqual([text(`hey: ${'x'.repeat(40_000)}`)]);
  });

  test('with oversized output is bounded before it returns, unless listeners judge it first', async () => {
    const { tool } = counting('idempotent', async () => 'x'.repeat(80_000));
    const deps = await process(tool);
    const bounded = await callIn(deps, 'idempotent');
    const whole: RunToolInput = { ...(await callIn(deps, 'idempotent')), spill: 'after-listeners' };
    const sizes = await Promise.all(
      [bounded, whole].map(async (input) => {
        const { outcome } = await attempt(runToolActivity(deps), input).result;
        const [block] = await deps.values.resolve(input.tenant, outcome.content);
        return block?.type === 'text' ? block.text.length : 0;
      }),
    );
    expect(sizes).toEqual([expect.any(Number), 80_005]);
    expect(sizes[0]).toBeLessThanOrEqual(50_000);
  });
});

test('a tool that is unknown or hidden from the session is not dispatched', async () => {
  const { tool, runs } = counting('idempotent');
  const deps = await process(tool);
  const unknown = await callIn(deps, 'idempotent');
  const hidden = await callIn(deps, 'idempotent');
  const { tenant } = hidden;
  const session = `${hidden.session}-filtered` as typeof hidden.session;
  await startSessionRow(projection.database, {
    tenant,
    session,
    header: { version: 0, id: session, createdAt: 0 },
    options: { tools: { deny: ['shout'] } },
  });
  const facts = { ...deps, facts: { read: () => deps.facts.read({ tenant, session }) } } as unknown as ActivityDeps;
  const outcomes = [
    await attempt(runToolActivity(deps), { ...unknown, call: { ...unknown.call, name: 'nope' } }).result,
    await attempt(runToolActivity(facts), hidden).result,
  ].map(({ outcome }) => outcome);
  expect(outcomes).toEqual([
    { content: [text('Error: unknown tool "nope"')], ...failedWith('UNKNOWN_TOOL') },
    { content: [text('Error: unknown tool "shout"')], ...failedWith('UNKNOWN_TOOL') },
  ]);
  expect(runs).toEqual([]);
});

test('a tool of an optional set runs for sessions that have the set, and for no others', async () => {
  const { tool } = counting('idempotent');
  const optional: RegisteredTool = { ...tool, definition: { ...tool.definition, toolset: 'loud' } };
  const deps = await process(optional);
  const outcome = async (from: ActivityDeps) =>
    (await attempt(runToolActivity(from), await callIn(from, 'idempotent')).result).outcome;
  expect(await outcome(deps)).toMatchObject(failedWith('UNKNOWN_TOOL'));
  expect(await outcome({ ...deps, toolsets: ['loud'] })).toEqual(ran);
});

test('live observers hear of the start and the end', async () => {
  const { tool } = counting('idempotent');
  const deps = await process(tool);
  const heard: string[] = [];
  apiOf(deps).onLive(({ kind }) => heard.push(kind));
  await attempt(runToolActivity(deps), await callIn(deps, 'idempotent')).result;
  expect(heard).toEqual(['tool/started', 'tool/ended']);
});

test('a wrapper may bound the body; one that throws makes an error result', async () => {
  const { tool, runs } = counting('idempotent', async ({ signal }) => (signal.aborted ? 'already stopped' : 'ran'));
  const deps = await process(tool);
  const outcomeOf = async () => {
    const { outcome } = await attempt(runToolActivity(deps), await callIn(deps, 'idempotent')).result;
    return outcome.content;
  };
  const remove = apiOf(deps).on('tools/execute', (_event, next) => next({ signal: AbortSignal.abort() }));
  expect(await outcomeOf()).toEqual([text('Error: tool call aborted before dispatch')]);
  remove();
  apiOf(deps).on('tools/execute', () => {
    throw new Error('no checkpoint');
  });
  expect(await outcomeOf()).toEqual([text('Error: no checkpoint')]);
  expect(runs).toEqual([]);
});

test('wrappers: the first is the outermost and may answer itself; one that hangs or talks nonsense makes an error result', async () => {
  const { tool, runs } = counting('idempotent');
  const outcome = async (...listeners: Listener<'tools/execute'>[]) => {
    const deps = { ...(await process(tool)), listenerTimeoutMs: 200 };
    for (const listener of listeners) apiOf(deps).on('tools/execute', listener);
    return (await attempt(runToolActivity(deps), await callIn(deps, 'idempotent')).result).outcome;
  };
  const order: string[] = [];
  const around =
    (name: string): Listener<'tools/execute'> =>
    async (_event, next) => {
      order.push(`${name} in`);
      const inner = await next();
      order.push(`${name} out`);
      return inner;
    };
  expect(await outcome(around('outer'), around('inner'))).toEqual(ran);
  expect([order, runs.length]).toEqual([['outer in', 'inner in', 'inner out', 'outer out'], 1]);
  const cached = { content: [text('cached')], isError: false };
  expect(await outcome(() => cached, around('never'))).toEqual(cached);

  const never = new Promise<never>(() => {});
  const error = (message: string) => [text(`Error: ${message}`)];
  const nonsense = error('a listener around "shout" answered something that is no result');
  const outcomes = await Promise.all([
    outcome(() => never),
    outcome(async (_event, next) => (await next(), never)),
    outcome(() => undefined as never),
    outcome(() => ({ content: 'text', isError: false }) as never),
    outcome(() => ({ content: [{ type: 'song' }], isError: false }) as never),
  ]);
  expect(outcomes.map(({ content }) => content)).toEqual([
    error('the listeners of tools/execute did not answer within 200 ms'),
    error('the listeners of tools/execute did not answer within 200 ms'),
    nonsense,
    nonsense,
    nonsense,
  ]);
  expect(runs.length).toBe(2);
});
