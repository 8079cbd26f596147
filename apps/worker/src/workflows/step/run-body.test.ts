import { beforeEach, expect, test, vi } from 'vitest';
import type { RequestedCall } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { runBody } from './run-body.ts';
import type { StepState } from './step-state.ts';

const sandbox = vi.hoisted(() => ({ patches: [] as string[], isNew: true }));
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  patched: (patch: string) => sandbox.isNew && sandbox.patches.push(patch) > 0,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({ assignHost: async () => ({ kind: 'none', reason: 'no machine' }) }),
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
