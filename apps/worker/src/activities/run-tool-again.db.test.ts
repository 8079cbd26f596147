import { describe, expect, test } from 'vitest';
import type { HostId } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import type { ToolRunContext } from '@everturn/tools/kit';
import type { RunToolInput, ToolEffect } from '../contract/index.ts';
import type { RegisteredTool } from '../plugins/index.ts';
import { beginEffect } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { runToolActivity } from './run-tool.ts';
import { callIn, counting, failedWith, ran } from './testing/counting-tool.ts';
import { model, projection } from './testing/servers.ts';
import { attempt, testProcess, type TestProcessInput } from './testing/test-process.ts';

const process = (tool: RegisteredTool, more: Partial<TestProcessInput> = {}): Promise<ActivityDeps> =>
  testProcess({ projection, model, tools: [tool], ...more });

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
