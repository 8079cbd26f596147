import { expect, test, vi } from 'vitest';
import { text, type MessageEntry, type MessageSource, type RequestId } from '@everturn/core/domain';
import type { SessionInput } from '@everturn/core/protocol';
import { keepUnread, writeSettlements } from './session-children.ts';
import { openState } from './session-state.ts';

const kept = vi.hoisted(() => vi.fn<(input: { entries: MessageEntry[] }) => Promise<void>>(async () => undefined));
const numbers = vi.hoisted(() => ({ next: 0 }));
interface Committing {
  commit: { events: { eid: string }[] };
}
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  patched: () => true,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({
    acceptNotices: kept,
    commitLog: async ({ commit: { events } }: Committing) => ({
      acks: events.map(({ eid }) => ({ eid, seq: numbers.next++, time: 0 })),
    }),
  }),
}));

const settled: MessageSource = { kind: 'subagent-settled', form: 'notice', summary: 's', senderSessionId: 'c' };
const entry = (id: string, source: MessageSource = settled): MessageEntry => ({
  requestId: id as RequestId,
  kind: 'prompt',
  content: [text(id)],
  source,
  preview: id,
});

test('what agents said and no turn has read is written as a session closes; what people sent is not', async () => {
  const session = openState({ session: 's', tenant: 't', intent: 'open' } as unknown as SessionInput);
  session.queue = { queued: [entry('person', { kind: 'user' }), entry('waits')], steering: [entry('on its way')] };
  session.settlements = [entry('just said')];
  keepUnread(session);
  expect(session.queue).toEqual({ queued: [entry('person', { kind: 'user' })], steering: [] });
  kept.mockImplementationOnce(async () => void session.settlements.push(entry('meanwhile')));
  await writeSettlements(session);
  const ids = kept.mock.calls.flatMap(([{ entries }]) => entries.map(({ requestId }) => requestId));
  expect(ids).toEqual(['waits', 'on its way', 'just said', 'meanwhile']);
  expect([session.settlements, session.injected, session.lastTurn]).toEqual([[], [], 4]);
});
