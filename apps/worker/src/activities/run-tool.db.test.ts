import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { text, type CallId, type HostId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { startScriptedModel, type ScriptedModel } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { defineTool, implementTool, type ToolRunContext } from '@everturn/tools/kit';
import type { RunToolInput, ToolEffect } from '../contract/index.ts';
import type { RegisteredTool } from '../plugins/index.ts';
import { beginEffect } from '../projection/index.ts';
import { closeTestProjection, newSession, openTestProjection } from '../projection/test/test-session.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { runToolActivity } from './run-tool.ts';
import { apiOf, attempt, testProcess, type TestProcessInput } from './testing/test-process.ts';
import { insideStep, logOf } from './testing/test-turn.ts';

let model: ScriptedModel;
let projection: Awaited<ReturnType<typeof newSession>>['projection'];

beforeAll(async () => {
  await openTestProjection();
  projection = (await newSession()).projection;
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
  await closeTestProjection();
});

const SHOUT = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const;

/** A tool that counts its runs and does what the test wants. */
function counting(effect: ToolEffect, body: (context: ToolRunContext) => Promise<string> = async () => 'ran') {
  const runs: string[] = [];
  const definition = defineTool({ name: 'shout', description: 'counts', parameters: SHOUT, home: 'model', effect });
  const tool = implementTool(definition, async ({ word }, context) => {
    runs.push(context.idempotencyKey);
    return { content: [text(`${word}: ${await body(context)}`)] };
  });
  return { runs, tool: tool as RegisteredTool };
}

const process = (tool: RegisteredTool, more: Partial<TestProcessInput> = {}): Promise<ActivityDeps> =>
  testProcess({ projection, model, tools: [tool], ...more });

async function callIn(deps: ActivityDeps, effect: ToolEffect, args = '{"word":"hey"}'): Promise<RunToolInput> {
  const { ref } = await insideStep(deps);
  return {
    ...ref,
    turn: 1,
    step: 1,
    call: { index: 0, callId: 'c1' as CallId, name: 'shout', arguments: args, concurrency: 'exclusive' },
    effect,
    spill: 'now',
    commit: { events: [], highestAcknowledged: -1 },
  };
}

const ran = { content: [text('hey: ran')], isError: false };
const failedWith = (code: string) => ({ isError: true, error: expect.objectContaining({ code }) });

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

describe('a second attempt', () => {
  test('of a call that is done gets its outcome and runs nothing', async () => {
    const { tool, runs } = counting('at-most-once');
    const deps = await process(tool);
    const input = await callIn(deps, 'at-most-once');
    await attempt(runToolActivity(deps), input).result;
    expect((await attempt(runToolActivity(await process(tool)), input).result).outcome).toEqual(ran);
    expect(runs).toHaveLength(1);
  });

  test('while the first runs: one effect, one result, in this process or another', async () => {
    const gate = Promise.withResolvers<string>();
    const { tool, runs } = counting('at-most-once', () => gate.promise);
    const deps = await process(tool);
    const input = await callIn(deps, 'at-most-once');
    const attempts = [deps, deps, await process(tool)].map((one) => attempt(runToolActivity(one), input));
    await waitFor(() => attempts.every(({ beats }) => beats() > 1), { what: 'heartbeats of all attempts' });
    gate.resolve('ran');
    const results = await Promise.all(attempts.map(({ result }) => result));
    expect(results.map(({ outcome }) => outcome)).toEqual([ran, ran, ran]);
    expect(runs).toHaveLength(1);
  });

  test.each([
    ['at-most-once', failedWith('TOOL_OUTCOME_UNKNOWN'), 0],
    ['idempotent', ran, 1],
    ['keyed', ran, 1],
  ] as const)(
    'after the worker of an %s call died',
    async (effect, outcome, expected) => {
      const { tool, runs } = counting(effect);
      const deps = await process(tool);
      const input = await callIn(deps, effect);
      await beginEffect({ ...projection, owner: 'dead' }, { ...input, claim: 't1.s1.c0', label: 'shout' });
      expect((await attempt(runToolActivity(deps), input).result).outcome).toMatchObject(outcome);
      expect(runs).toEqual(expected === 0 ? [] : [`acme/${input.session}/t1.s1.c0`]);
    },
    20_000,
  );

  test('after the host was taken anew does not wait for the lease', async () => {
    const { tool } = counting('at-most-once');
    const host = 'h1' as HostId;
    await projection.database
      .insertInto('hosts')
      .values({ host_id: host, epoch: 2, last_seen: new Date(), holder: 'x', roots: '[]', details: '{}' })
      .execute();
    const deps = await process(tool, { host: { id: host, epoch: 2 } });
    const input = await callIn(deps, 'at-most-once');
    await beginEffect(
      { ...projection, owner: 'dead', host: { id: host, epoch: 1 } },
      { ...input, claim: 't1.s1.c0', label: 'shout' },
    );
    const running = attempt(runToolActivity(deps), input);
    expect((await running.result).outcome).toMatchObject(failedWith('TOOL_OUTCOME_UNKNOWN'));
    expect(running.beats()).toBeLessThan(5);
  });
});

describe('an interrupted call', () => {
  /** A body that ends when its signal is raised, or never. */
  const untilStopped = ({ signal }: ToolRunContext) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));

  test('cancelled while it runs is reported as aborted', async () => {
    const { tool, runs } = counting('at-most-once', untilStopped);
    const deps = await process(tool);
    const running = attempt(runToolActivity(deps), await callIn(deps, 'at-most-once'));
    await waitFor(() => runs.length > 0, { what: 'the body' });
    running.cancel();
    expect((await running.result).outcome).toMatchObject(failedWith('ABORTED'));
  });

  test('at the end of the shutdown grace: a side effect is unknown, a repeatable one is left to another worker', async () => {
    const stopped = async (effect: ToolEffect) => {
      const { tool, runs } = counting(effect, untilStopped);
      const deps = await process(tool);
      const running = attempt(runToolActivity(deps), await callIn(deps, effect));
      await waitFor(() => runs.length > 0, { what: 'the body' });
      deps.effects.stopAll('shutdown');
      return running.result;
    };
    expect((await stopped('at-most-once')).outcome).toMatchObject(failedWith('TOOL_OUTCOME_UNKNOWN'));
    await expect(stopped('idempotent')).rejects.toMatchObject({ type: 'WORKER_SHUTDOWN', nonRetryable: false });
  });

  test('a body that ignores its cancel blocks the lane of its session until it is quiet', async () => {
    const gate = Promise.withResolvers<string>();
    let bodies = 0;
    const { tool, runs } = counting('at-most-once', async () => (++bodies === 1 ? gate.promise : 'ran'));
    const deps = await process(tool);
    const input = await callIn(deps, 'at-most-once');
    const stubborn = attempt(runToolActivity(deps), input);
    await waitFor(() => runs.length === 1, { what: 'the first body' });
    stubborn.cancel();
    const next = attempt(runToolActivity(deps), { ...input, call: { ...input.call, index: 1 } });
    await waitFor(() => next.beats() > 1, { what: 'heartbeats of the next call' });
    expect(runs).toHaveLength(1);
    gate.resolve('late');
    expect((await next.result).outcome).toEqual(ran);
    expect((await stubborn.result).outcome).toMatchObject(failedWith('ABORTED'));
  });
});

test('a call taken over and cancelled before it ran again does not deny that it may have run', async () => {
  const gate = Promise.withResolvers<string>();
  const { tool, runs } = counting('idempotent', () => gate.promise);
  const host = 'h2' as HostId;
  await projection.database
    .insertInto('hosts')
    .values({ host_id: host, epoch: 2, last_seen: new Date(), holder: 'x', roots: '[]', details: '{}' })
    .execute();
  const deps = await process(tool, { host: { id: host, epoch: 2 } });
  const input = await callIn(deps, 'idempotent');
  const call = (index: number): RunToolInput => ({ ...input, call: { ...input.call, index } });
  // A body that ignores its cancel keeps the lane, so that the calls behind it are cancelled before they run.
  const stubborn = attempt(runToolActivity(deps), call(0));
  await waitFor(() => runs.length === 1, { what: 'the first body' });
  stubborn.cancel();
  const dead = { ...projection, owner: 'dead', host: { id: host, epoch: 1 } };
  await beginEffect(dead, { ...input, claim: 't1.s1.c1', label: 'shout' });
  const [again, fresh] = [1, 2].map((index) => attempt(runToolActivity(deps), call(index)));
  const epochs = async () => {
    const claims = projection.database.selectFrom('claims').select('epoch').where('session_id', '=', input.session);
    return (await claims.where('key', 'in', ['t1.s1.c1', 't1.s1.c2']).orderBy('key').execute()).map(
      ({ epoch }) => epoch,
    );
  };
  await waitFor(async () => (await epochs()).join() === '2,1', {
    what: 'both to hold their claims and wait for the lane',
  });
  again?.cancel();
  fresh?.cancel();
  expect((await again?.result)?.outcome).toMatchObject(failedWith('TOOL_OUTCOME_UNKNOWN'));
  expect((await fresh?.result)?.outcome).toMatchObject(failedWith('ABORTED_BEFORE_DISPATCH'));
  gate.resolve('late');
  await stubborn.result;
  expect(runs).toHaveLength(1);
});

test('a call whose state died with an earlier process of the machine says so', async () => {
  const { tool, runs } = counting('at-most-once');
  const stateful: RegisteredTool = { ...tool, definition: { ...tool.definition, state: 'process' } };
  const deps = await process(stateful, { host: { id: 'h9' as HostId, epoch: 5 } });
  const call = async (hostEpoch: number) => {
    const input = { ...(await callIn(deps, 'at-most-once')), hostEpoch };
    return (await attempt(runToolActivity(deps), input).result).outcome;
  };
  expect(await call(4)).toMatchObject(failedWith('TOOL_STATE_LOST'));
  expect(await call(5)).toEqual(ran);
  expect(runs).toHaveLength(1);
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
