import { beforeEach, expect, test, vi } from 'vitest';
import { EMPTY_QUEUE, text, type MessageEntry, type RequestId } from '@everturn/core/domain';
import type { SessionInput } from '@everturn/core/protocol';
import { settleDue } from './settle-session.ts';
import { openState, type SessionState } from './session-state.ts';

// What a worker's sandbox gives: no recorded run.
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  patched: () => true,
  proxySinks: () => ({}),
  proxyActivities: () => ({}),
}));

const message = (requestId: string): MessageEntry => ({
  requestId: requestId as RequestId,
  kind: 'prompt',
  content: [text(requestId)],
  source: { kind: 'user' },
  preview: requestId,
});

let agent: SessionState;
beforeEach(() => {
  const owner = { session: 'lead', mode: 'continuable' };
  agent = openState({ session: 'c', tenant: 't', intent: 'open', owner } as unknown as SessionInput);
});

test('an agent is done with what it was given though messages are parked, but not while any will run', () => {
  expect(settleDue(agent)).toBe(true);
  agent.queue = { ...EMPTY_QUEUE, queued: [message('waits')] };
  expect(settleDue(agent)).toBe(false);
  agent.parked = true;
  expect(settleDue(agent)).toBe(true);
  agent.queue = { ...agent.queue, steering: [message('handed over')] };
  expect(settleDue(agent)).toBe(false);
});
