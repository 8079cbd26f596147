import { abortedResult } from '@everturn/tools/kit';
import { expect, test, vi } from 'vitest';
import type { CallRun } from './call-run.ts';
import { startCalls } from './start-calls.ts';
import type { StepState } from './step-state.ts';

const body = vi.hoisted(() => ({ run: vi.fn<() => Promise<object>>(async () => ({ isError: false, content: [] })) }));
vi.mock('./run-body.ts', () => ({ runBody: body.run }));

const stop = { requested: false };
let meanwhile = (): void => undefined;
vi.mock('./approval.ts', () => ({
  askApproval: async () => {
    meanwhile();
    return 'allowed-once';
  },
}));

/** Starts a call that wants a wider mode, which a person grants. */
async function granted(): Promise<CallRun> {
  const escalation = { permissions: 'danger-full-access', justification: 'it must' };
  const call = { index: 0, callId: 'c', name: 'bash', arguments: '{}', escalation, tool: { escalation: 'command' } };
  const run = { call, state: 'waiting' } as unknown as CallRun;
  const step = {
    input: { turn: 1, step: 1 },
    assembly: { listeners: [] },
    permissions: { now: { sandbox: 'workspace-write' } },
    writer: { append: () => ({}), flush: async () => undefined },
    stop,
    runs: [run],
  } as unknown as StepState;
  await startCalls(step, [run], [0]);
  return run;
}

test('a call runs in the mode that it was granted, unless its step was cancelled since', async () => {
  expect((await granted()).granted).toBe('danger-full-access');
  expect(body.run).toHaveBeenCalledTimes(1);
  meanwhile = () => (stop.requested = true);
  expect((await granted()).end).toMatchObject({ kind: 'outcome', outcome: abortedResult('before-dispatch') });
  expect(body.run).toHaveBeenCalledTimes(1);
});
