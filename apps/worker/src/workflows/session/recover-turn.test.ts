import type { ChildWorkflowFailure } from '@temporalio/workflow';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SessionInput } from '@everturn/core/protocol';
import type { MessageEntry } from '@everturn/core/domain';
import { recoverTurn } from './recover-turn.ts';
import { cancelRunning } from './session-queue.ts';
import { openState, type SessionState } from './session-state.ts';

const sandbox = vi.hoisted(() => ({ consumed: [] as string[] }));
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  workflowInfo: () => ({ runId: 'run', firstExecutionRunId: 'run', taskQueue: 'q' }),
  patched: () => true,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({
    recover: async () => ({ generation: 2, lastTurn: 0, highestAcknowledged: -1, consumed: sandbox.consumed }),
  }),
}));

const message = { requestId: 'm', kind: 'prompt', content: [], source: { kind: 'user' }, preview: '' };
const died = new Error('the turn died') as ChildWorkflowFailure;

let session: SessionState;
beforeEach(() => {
  sandbox.consumed = [];
  session = openState({ session: 's', tenant: 't', intent: 'open' } as unknown as SessionInput);
  session.running = { number: 1, message: 'm', source: { kind: 'user' }, send: () => undefined } as never;
});

async function waiting(): Promise<string[]> {
  await recoverTurn(session, message as unknown as MessageEntry, died);
  return session.queue.queued.map(({ requestId }) => requestId);
}

test('a message whose turn died before it was let in is tried again', async () => {
  expect(await waiting()).toEqual(['m']);
});

test('one that was cancelled by then is not', async () => {
  cancelRunning(session, 'user');
  expect(await waiting()).toEqual([]);
});

test('nor is one that the dead turn wrote', async () => {
  sandbox.consumed = ['m'];
  expect(await waiting()).toEqual([]);
});
