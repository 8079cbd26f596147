import { ActivityFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { beforeEach, expect, test, vi } from 'vitest';
import type { RequestedCall } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { runBody } from './run-body.ts';
import type { StepState } from './step-state.ts';

function notTaken(): ActivityFailure {
  const timeout = new TimeoutFailure('not taken', undefined, TimeoutType.SCHEDULE_TO_START);
  return new ActivityFailure('not taken', 'runTool', undefined, 'RETRY_STATE_TIMEOUT' as never, undefined, timeout);
}

const sandbox = vi.hoisted(() => ({ patches: [] as string[], isNew: true, settled: {} }));
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  patched: (patch: string) => sandbox.isNew && sandbox.patches.push(patch) > 0,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({
    assignHost: async () => ({ kind: 'none', reason: 'no machine' }),
    settle: async ({ claims: [claim] }: { claims: string[] }) => ({ settlements: { [claim ?? '']: sandbox.settled } }),
  }),
}));
beforeEach(() => Object.assign(sandbox, { patches: [], isNew: true }));

const event = { type: 'web/deepseek-search-llm-request', data: { body: {} } };

/** Calls a tool of a machine where there is none; answers what the log was given before. */
async function written(call: object): Promise<unknown[]> {
  const append = vi.fn<(type: string, data: unknown) => void>();
  const step = { input: {}, assembly: {}, writer: { append } } as unknown as StepState;
  const run = { call: { index: 0, name: 'a', tool: { home: 'host' }, ...call } as unknown as RequestedCall };
  const { error } = await runBody(step, run as CallRun);
  expect(error?.code).toBe('TOOL_HOST_GONE');
  return append.mock.calls;
}

test('what a call announces is in the log before it is dispatched', async () => {
  expect(await written({ announced: [event] })).toEqual([[event.type, event.data]]);
  expect(sandbox.patches).toEqual(['announced-calls']);
});

test('a call that announces nothing marks no history', async () => {
  expect(await written({})).toEqual([]);
  expect(sandbox.patches).toEqual([]);
});

test('a step that a worker of before began numbers its events as that one did', async () => {
  sandbox.isNew = false;
  expect(await written({ announced: [event] })).toEqual([]);
});

/** What a call comes to whose machine did not take its last try, and is not there any more. */
async function lost(settled: object): Promise<string | undefined> {
  Object.assign(sandbox, { settled });
  const effect = () => Promise.resolve({ kind: 'failed', error: notTaken() });
  const stop = { requested: false, effect, settling: () => 'wait' };
  const carry = (work: (commit: undefined) => unknown) => work(undefined);
  const assembly = { host: { host: 'h', epoch: 1 }, listeners: [] };
  const step = { input: { session: 's' }, assembly, permissions: {}, stop, writer: { carry } } as unknown as StepState;
  const { error } = await runBody(step, {
    call: { index: 0, name: 'a', tool: { home: 'host' } } as unknown as RequestedCall,
  } as CallRun);
  return error?.code;
}

test('a call that had begun when its machine went is unknown, not gone', async () => {
  expect(await lost({ state: 'unknown' })).toBe('TOOL_OUTCOME_UNKNOWN');
  expect(sandbox.patches).toEqual(['lost-calls-settle']);
});

test('a call that no machine ever took says so', async () => {
  expect(await lost({ state: 'not-started' })).toBe('TOOL_HOST_GONE');
});

test('a step that a worker of before began settles nothing more', async () => {
  sandbox.isNew = false;
  expect(await lost({ state: 'unknown' })).toBe('TOOL_HOST_GONE');
});
